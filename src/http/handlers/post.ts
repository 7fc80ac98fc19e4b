import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../model/problem.js';
import type { ClassModel } from '../../model/ontology/model.js';
import { formatOfMediaType, formats, postedFormats as taken, type RdfFormat } from '../../rdf/formats.js';
import { repeatable } from '../../records/posted/idempotency.js';
import { providerNames } from '../../records/posted/provider.js';
import { postStatement } from '../../records/posted/post-statement.js';
import { cacheControl } from '../answer.js';
import { isLong, bodyBytes, type RequestBody } from '../admission/bodies.js';
import { isUtf8, isXml, readMediaType, refuseCoding } from '../media-type.js';
import { authorOf, forCalls, traceOf, type CallRequest, type Handler } from '../request-context.js';
import { chooseRepresentation, notAcceptable } from '../respond/negotiate.js';
import { counted } from '../admission/sender-budgets.js';
import { graphRepresentations, readGraph } from './graph-answer.js';
import { readingCall, readSingle, type Addressed, type CallParts } from './reads.js';

/** Adds a statement and answers with it as stored. The status is 200: some clients treat 201 as a failure. */
export function postHandler(parts: CallParts): Handler {
  return forCalls(async (request) => {
    const { context, query } = request;
    // If the answer is not acceptable, nothing must be stored.
    if (!chooseRepresentation(context, query.format, graphRepresentations))
      throw notAcceptable(graphRepresentations);
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
      provider: await providerNames(
        parts.store,
        owner.user === undefined ? undefined : parts.accounts.user(owner.user),
      ),
      poster: { app: owner.app, quota: parts.settings.postQuota },
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
      // Called before reading: a tag newer than the content would lose a write.
      state: () => parts.revisionState(stored),
      representations: graphRepresentations,
      read: readGraph(parts.ontology, async () => {
        if (!isLong(body)) return { quads: await readSingle(parts, stored) };
        // Lets other requests run between these slow steps.
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

/** Default types of clients that do not state the real one. */
const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
]);

function bodyFormat(field: string, body: RequestBody): RdfFormat {
  if (field.trim() === '') return taken[0];
  const type = readMediaType(field);
  const isGenericXml = type !== undefined && GENERIC_TYPES.has(type.essence) && isXml(bodyBytes(body));
  const found = isGenericXml ? taken[0] : type && formatOfMediaType(type.essence);
  const format = taken.find((name) => name === found);
  if (format && type && isUtf8(type)) return format;
  const types = taken.map((name) => formats[name].mediaType).join(', ');
  // RFC 9110 §12.5.1: Accept in a response lists what is accepted.
  throw new Problem('unsupported-media-type', `This call takes ${types}, as UTF-8.`, {
    headers: { Accept: types },
  });
}

function modelOf({ ontology }: CallParts, { route }: CallRequest): ClassModel {
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

function storedAt({ ontology }: CallParts, { route, path }: CallRequest, iri: string): Addressed {
  const call = readingCall(ontology, route.call);
  const id = iri.slice(iri.lastIndexOf('/') + 1);
  const [parameter = ''] = call.pathParameters.filter((name) => !(name in path));
  return { call, path: { ...path, [parameter]: id }, resource: iri };
}
