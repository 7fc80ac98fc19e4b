import type { Context } from 'koa';
import { sp } from '../../rdf/vocabulary.js';
import { preferredType } from '../negotiation/accept.js';
import type { Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import type { Describe } from '../descriptions.js';
import { offeredTypes } from '../negotiation/negotiate.js';

/** The page that shows the ontology to people. */
const PAGE = '/docs/classes';
const HTML = 'text/html';

/** What Java's HttpURLConnection asks for when its program says nothing: no browser asks for this. */
const unspoken = /^text\/html, image\/gif, image\/jpeg, \*/;

/**
 * Answers a call on the ontology with a page where Accept prefers HTML to every form of RDF, and everything else as
 * before; the call is proved and checked by then as it is for RDF.
 */
export function withOntologyPage(container: ContainerContext, describe: Describe, answer: Answer): Answer {
  return async (context, request) => {
    const isOntology = request.call.target === sp.Ontology && container.descriptions.has(PAGE);
    if (!isOntology || request.query.format !== undefined || !prefersPage(context)) {
      await answer(context, request);
      return;
    }
    context.vary('Accept');
    context.set('Content-Location', container.base + PAGE);
    await describe(context, PAGE);
    if (container.containerAccess === 'signed') context.set('Cache-Control', 'private, no-cache');
  };
}

function prefersPage(context: Context): boolean {
  const field = context.get('Accept');
  return !unspoken.test(field) && preferredType(field, [...offeredTypes, HTML]) === HTML;
}
