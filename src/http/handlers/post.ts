import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../problem.js';
import type { ClassModel } from '../../ontology/model.js';
import { formatOfMediaType, formats, postedFormats as taken, type RdfFormat } from '../../rdf/formats.js';
import { repeatable } from '../../records/posted/idempotency.js';
import { postStatement } from '../../records/posted/post-statement.js';
import { cacheControl } from '../answer.js';
import { isLong, bodyBytes, type RequestBody } from '../body.js';
import { isUtf8, isXml, readMediaType, refuseCoding } from '../media-type.js';
import { authorOf, forCalls, traceOf, type CallRequest, type Handler } from '../request-context.js';
import { chooseRepresentation, notAcceptable } from '../respond/negotiate.js';
import { counted } from '../processor-time.js';
import { graphRepresentations, type StoredParts } from './graph-answer.js';
import { readingCall, readSingle, type Addressed } from './reads.js';

/** What statements are posted with. */
export interface PostParts extends StoredParts {
  /** Bytes that one app may post to one record in a day. */
  readonly postQuota: number;
}

/**
 * Adds the statement in the body to the record, and answers with it as it is stored, and its Location. The status is
 * 200: real clients take any other one for a failure, and post again.
 */
export function postHandler(parts: PostParts): Handler {
  return forCalls(async (request) => {
    const { context, query } = request;
    // What cannot be answered must not be stored either.
    const offered = graphRepresentations(parts.ontology, () =>
      Promise.reject(new Error('nothing is stored yet')),
    );
    if (!chooseRepresentation(context, query.format, offered)) throw notAcceptable(offered);
    refuseCoding(context.get('Content-Encoding'));
    const format = bodyFormat(context.get('Content-Type'), request.body);
    const body = bodyBytes(request.body);
    const owner = ownerOf(request);
    const trace = traceOf(context);
    const iri = await postStatement({
      ...parts,
      model: modelOf(parts, request),
      recordId: owner.record,
      by: authorOf(request),
      poster: { app: owner.app, quota: parts.postQuota },
      onBusy: (ms) => {
        trace.busy = (trace.busy ?? 0) + ms;
      },
      body,
      format,
      repeatable: repeatable(context.get('Idempotency-Key'), owner, body, format),
    });
    const stored = storedAt(parts, request, iri);
    return {
      kind: 'stored',
      headers: { Location: iri, 'Content-Location': iri },
      cacheControl: cacheControl.own,
      key: iri,
      // Before it is read: a tag that is newer than the content would lose a write.
      state: () => parts.revisionState(stored),
      representations: graphRepresentations(parts.ontology, async () => {
        if (!isLong(body)) return { quads: await readSingle(parts, stored) };
        // It is taken in, read and written, each of which takes a while: others are answered in between.
        await nextTurn();
        const quads = await counted(context, () => readSingle(parts, stored));
        await nextTurn();
        return { quads };
      }),
      exists: () => true,
      queue: request.route.call.iri,
      cached: false,
    };
  });
}

/** What clients send with a body of which they do not know, or do not say, the type. */
const UNSAID: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
]);

function bodyFormat(field: string, body: RequestBody): RdfFormat {
  // Specification 4.2: the body is RDF/XML, which goes for a client that says nothing too.
  if (field.trim() === '') return taken[0];
  const type = readMediaType(field);
  const isUnsaid = type !== undefined && UNSAID.has(type.essence) && isXml(bodyBytes(body));
  const found = isUnsaid ? taken[0] : type && formatOfMediaType(type.essence);
  const format = taken.find((name) => name === found);
  if (format && type && isUtf8(type)) return format;
  const types = taken.map((name) => formats[name].mediaType).join(', ');
  // RFC 9110 §12.5.1: Accept in a response says what would have been taken.
  throw new Problem('unsupported-media-type', `This call takes ${types}, as UTF-8.`, {
    headers: { Accept: types },
  });
}

function modelOf({ ontology }: StoredParts, { route }: CallRequest): ClassModel {
  const model = ontology.classes.get(route.call.target);
  if (!model) throw new Error(`${route.call.name} takes a class that the ontology does not declare`);
  return model;
}

function ownerOf({ route, path, verified }: CallRequest) {
  return {
    app: verified?.principal.app ?? '',
    user: verified?.principal.token?.user,
    record: path['record_id'] ?? '',
    call: route.call.iri,
  };
}

/** What was stored, as a GET addresses it. */
function storedAt({ ontology }: StoredParts, { route, path }: CallRequest, iri: string): Addressed {
  const call = readingCall(ontology, route.call);
  const id = iri.slice(iri.lastIndexOf('/') + 1);
  const [parameter = ''] = call.pathParameters.filter((name) => !(name in path));
  return { call, path: { ...path, [parameter]: id }, resource: iri };
}
