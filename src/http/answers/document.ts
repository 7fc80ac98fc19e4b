import type { Context } from 'koa';
import { Problem } from '../../problem.js';
import type { CallModel } from '../../ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { fileOf, type FileOfDocument } from '../../records/documents/file-of.js';
import { single } from '../../records/lists/arguments.js';
import { preferredType } from '../negotiation/accept.js';
import type { AllowedCall, Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import { readMediaType } from '../negotiation/media-type.js';
import { chooseFormat, offeredTypes } from '../negotiation/negotiate.js';
import { requireRecord } from '../resources.js';
import { sendFile } from '../send-file.js';
import type { SendAnswer } from '../kept/send-answer.js';
import { sendGraph } from '../send-graph.js';
import { graphRecipe, readSingle } from './rdf.js';

const forms = ['metadata', 'raw', 'combined'] as const;
type Form = (typeof forms)[number];

/** Answers with documents: described, with their content in the description, or one as the file itself. */
export function answerDocument(container: ContainerContext, send: SendAnswer): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    const asked = askedForm(request);
    const form = asked ?? defaultForm(request.call);
    if (form === 'raw') {
      await sendRaw(container, context, request);
    } else if (asked === undefined && (await prefersFile(container, context, request))) {
      context.set('Vary', 'Accept');
      await sendRaw(container, context, request);
    } else {
      const { exists, read } = graphRecipe(container, request);
      await sendGraph(container, send, context, request, {
        exists,
        read: async () => {
          const { quads, link } = await read();
          return { quads: await describeDocuments(quads, container.documents, form), link };
        },
        // Contents are large, and their bytes are checked each time that they are sent.
        kept: form === 'metadata',
      });
    }
  };
}

/** @throws Problem invalid-parameter for a form that the ontology does not list for the call */
function askedForm({ call, query }: AllowedCall): Form | undefined {
  const text = single(query.declared, 'format');
  if (text === undefined) return undefined;
  const choices = call.parameters.find(({ name }) => name === 'format')?.choices ?? [];
  const form = forms.find((each) => each === text);
  if (form && choices.includes(form)) return form;
  throw new Problem('invalid-parameter', `The value of format is not one of ${choices.join(', ')}.`, {
    extra: { parameter: 'format' },
  });
}

/** Specification 4.2: a list is described, one document is its file, unless its call answers with a media type of RDF. */
function defaultForm({ cardinality, contentType }: CallModel): Form {
  if (cardinality === 'multiple') return 'metadata';
  return contentType === undefined ? 'raw' : 'combined';
}

/** Whether Accept would rather have the file than its description; what has no file is described. */
async function prefersFile(
  container: ContainerContext,
  context: Context,
  request: AllowedCall,
): Promise<boolean> {
  if (request.call.cardinality === 'multiple' || request.query.format !== undefined) return false;
  // Without a word about other types there is nothing to look up.
  if (chooseFormat(context, undefined) && !/image\/|video\/|audio\//i.test(context.get('Accept')))
    return false;
  const mediaType = fileOf(await readSingle(container, request), request.resource)?.mediaType;
  const type = mediaType === undefined ? undefined : readMediaType(mediaType);
  if (!type) return false;
  return preferredType(context.get('Accept'), [...offeredTypes, type.essence]) === type.essence;
}

async function sendRaw(container: ContainerContext, context: Context, request: AllowedCall): Promise<void> {
  // A serialisation has no say here, but a wrong one is still named.
  chooseFormat(context, request.query.format);
  const quads = await readSingle(container, request);
  await sendFile(context, container.documents, requireFile(quads, request.resource));
}

function requireFile(quads: readonly Quad[], iri: string): FileOfDocument {
  const file = fileOf(quads, iri);
  if (!file) {
    throw new Problem(
      'not-found',
      'The record describes this document but has no file of it; ask for metadata.',
    );
  }
  return file;
}
