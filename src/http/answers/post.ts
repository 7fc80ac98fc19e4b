import { Problem } from '../../problem.js';
import { formatOfMediaType, formats, postedFormats as taken, type RdfFormat } from '../../rdf/formats.js';
import { repeatable } from '../../records/posted/idempotency.js';
import { postStatement } from '../../records/posted/post-statement.js';
import { bodyBytes } from '../body.js';
import type { AllowedCall, Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import { chooseCoding, coded } from '../kept/content-coding.js';
import { answerKey, codedTag, entityTag } from '../kept/entity-tag.js';
import { isUtf8, readMediaType, refuseCoding } from '../negotiation/media-type.js';
import { chooseFormat, notAcceptable } from '../negotiation/negotiate.js';
import { readingCall, requireRecord } from '../resources.js';
import { revisionState } from '../kept/revision-state.js';
import { renderGraph } from '../send-graph.js';
import { readSingle } from './rdf.js';

/** Adds the statement in the body to the record, and answers with it as it is stored: 201 and its Location. */
export function answerPost(container: ContainerContext): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    const answerFormat = chooseFormat(context, request.query.format);
    if (!answerFormat) throw notAcceptable();
    refuseCoding(context.get('Content-Encoding'));
    const format = bodyFormat(context.get('Content-Type'));
    const body = bodyBytes(request.body);
    const iri = await postStatement({
      ...container,
      model: modelOf(container, request),
      recordId: request.path['record_id'] ?? '',
      body,
      format,
      repeatable: repeatable(context.get('Idempotency-Key'), ownerOf(request), body, format),
    });
    const stored = requestFor(container, request, iri);
    const { mediaType } = formats[answerFormat];
    const coding = chooseCoding(context.req.headers['accept-encoding']);
    // Before it is read: a tag that is newer than the content would lose a write.
    const state = revisionState(container, stored);
    const content = await renderGraph(container, await readSingle(container, stored), answerFormat);
    const form = coded(content, coding);
    context.status = 201;
    context.set('Location', iri);
    context.set('Content-Location', iri);
    context.set('Cache-Control', 'private, no-cache');
    context.set('Vary', 'Accept, Accept-Encoding');
    context.set('ETag', codedTag(entityTag(container, answerKey(stored, mediaType), state), coding));
    context.set('Content-Type', mediaType);
    if (form) context.set('Content-Encoding', coding);
    context.body = form ?? content;
  };
}

function bodyFormat(field: string): RdfFormat {
  // Specification 4.2: the body is RDF/XML, which goes for a client that says nothing too.
  if (field.trim() === '') return taken[0];
  const type = readMediaType(field);
  const found = type && formatOfMediaType(type.essence);
  const format = taken.find((name) => name === found);
  if (format && type && isUtf8(type)) return format;
  throw new Problem(
    'unsupported-media-type',
    `This call takes ${taken.map((name) => formats[name].mediaType).join(', ')}, as UTF-8.`,
    // RFC 9110 §12.5.1: in a response it says what would have been taken.
    { headers: { Accept: taken.map((name) => formats[name].mediaType).join(', ') } },
  );
}

function modelOf({ ontology }: ContainerContext, { call }: AllowedCall) {
  const model = ontology.classes.get(call.target);
  if (!model) throw new Error(`${call.name} takes a class that the ontology does not declare`);
  return model;
}

function ownerOf({ call, path, principal }: AllowedCall) {
  return {
    app: principal?.app ?? '',
    user: principal?.token?.user,
    record: path['record_id'] ?? '',
    call: call.iri,
  };
}

/** The GET of what was stored, as if it had been asked for. */
function requestFor({ ontology }: ContainerContext, request: AllowedCall, iri: string): AllowedCall {
  const call = readingCall(ontology, request.call);
  const id = iri.slice(iri.lastIndexOf('/') + 1);
  const [parameter = ''] = call.pathParameters.filter((name) => !(name in request.path));
  const query = { declared: new Map<string, string[]>(), format: request.query.format };
  return { ...request, call, query, pairs: [], path: { ...request.path, [parameter]: id }, resource: iri };
}
