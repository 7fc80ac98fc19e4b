import type { ReadTx } from '../../store/disk/data-directory.js';
import { changeGraph, changeTexts, type ToldChange } from '../../records/change-graph.js';
import type { RdfFormat } from '../../rdf/formats.js';
import { inSteps, stepwise, type Stepwise } from '../../store/steps.js';
import { readInteger, single } from '../../records/lists/arguments.js';
import { LARGEST_PAGE } from '../../records/lists/page-limits.js';
import { recordPart } from '../../records/record-partition.js';
import {
  cacheControl,
  type Content,
  type Representation,
  type StoredAnswer,
  type StreamAnswer,
} from '../answer.js';
import {
  forCalls,
  type Handler,
  type RequestContext,
  clientAddress,
  type CallRequest,
  viewerOf,
} from '../request-context.js';
import {
  askedRecord,
  beginningOf,
  changesAfter,
  readRevision,
  requireHistory,
  type AskedRecord,
} from './changes-of-record.js';
import { graphRepresentations, nextLink } from './graph-answer.js';
import { writeGraph, writingOf, type LongGraph } from './write-graph.js';
import type { CallParts } from './reads.js';
import { factsOf } from '../../model/ontology/answer-forms.js';
import { EVENTS } from '../../model/ontology/service-forms.js';
import { unauthorized, SignatureRefusal } from '../../access/oauth/signature-refusal.js';
import { Problem } from '../../model/problem.js';
import { accessEntry } from '../request-log.js';
import { preferredType } from '../respond/negotiate.js';
import { ChangeStream } from './change-stream.js';

const json: Representation = { mediaType: 'application/json', format: 'json' };
/** JSON first: elsewhere JSON-LD answers a request for JSON. */
const representations = [...graphRepresentations.slice(0, 1), json, ...graphRepresentations.slice(1)];

interface ChangesRequest extends AskedRecord {
  readonly since: number | undefined;
  readonly limit: number;
}

interface Page {
  readonly changes: readonly ToldChange[];
  readonly revision: number;
  readonly next: string | undefined;
}

/** Answers with a record's changes since a revision, read from the history, or streams them. */
export function changesHandler(parts: CallParts): Handler {
  return forCalls((request) =>
    asksForStream(request) ? streamedChanges(parts, request) : answer(parts, request),
  );
}

/** @throws Problem invalid-parameter, not-found, no-history */
function answer(parts: CallParts, request: RequestContext): StoredAnswer {
  const { primary, ontology, longGraphs, base } = parts;
  const { app = '' } = request.verified?.principal ?? {};
  const asked = askedChanges(parts, request);
  const path = recordPart(asked.record);
  const state = primary.directory.read((tx) => {
    requireHistory(tx, asked.since, asked.record);
    return `${primary.directory.epoch} ${primary.revision(path)} ${beginningOf(tx, asked.record)}`;
  });
  const readPage = (): Promise<Page> =>
    request.inSteps((pause) =>
      primary.directory.readInTurns((tx, hold) => {
        hold();
        return stepwise(pageOf(tx, asked, base), pause);
      }),
    );
  const make = async (chosen: Representation): Promise<Content> => {
    const page = await readPage();
    const link = nextLink(page.next);
    if (chosen === json) return { body: JSON.stringify(page), link };
    const format = chosen.format as RdfFormat;
    if (page.changes.length <= BATCH)
      return { body: await writeGraph(changeGraph(page.changes), format, writingOf(ontology)), link };
    const read = (): Promise<LongGraph> =>
      request.inSteps(async (pause) => ({ texts: await stepwise(changeTexts(page.changes), pause) }));
    return { body: (await longGraphs.write(app, format, read)).body, link };
  };
  return {
    kind: 'stored',
    cacheControl: cacheControl.own,
    representations,
    read: (chosen) => Promise.resolve(() => make(chosen)),
    // Apps with different rights must not share answers.
    key: `${path} changes ${asked.since} ${asked.limit} ${asked.scope}`,
    state: () => state,
    exists: () => true,
    queue: request.route.path,
    cached: false,
  };
}

function askedChanges(parts: CallParts, request: RequestContext): ChangesRequest {
  const { declared } = request.query;
  const since = single(declared, 'since');
  const limit = single(declared, 'limit') ?? String(LARGEST_PAGE);
  return {
    ...askedRecord(parts, request),
    since: since === undefined ? undefined : readRevision('since', since),
    limit: readInteger('limit', limit, 1, LARGEST_PAGE),
  };
}

function* pageOf(tx: ReadTx, asked: ChangesRequest, base: string): Stepwise<Page> {
  const { record, since, limit } = asked;
  const { changes, revision, isPart } = yield* changesAfter(
    tx,
    asked,
    since ?? beginningOf(tx, record),
    limit,
    base,
  );
  const next = isPart ? `${base}${recordPart(record)}/changes?since=${revision}&limit=${limit}` : undefined;
  return { changes, revision, next };
}

const BATCH = 100;

function asksForStream({ context, query, route }: CallRequest): boolean {
  const accept = context.get('Accept');
  if (!accept.toLowerCase().includes(EVENTS) || query.format !== undefined) return false;
  return preferredType(accept, factsOf(route.call).types) === EVENTS;
}

/**
 * Streams the changes of a record after a revision, or only future ones without `since` or `Last-Event-ID`. The stream
 * ends before the next delivery when its token ends, the record is removed, a backup is restored, or other classes are
 * closed to it.
 * @throws Problem invalid-parameter, not-found, no-history, too-many-requests, unavailable
 */
function streamedChanges(parts: CallParts, request: RequestContext): StreamAnswer {
  const { primary, base, accounts, accessLog, streams } = parts;
  const { context, verified } = request;
  const { app, token } = verified?.principal ?? {};
  if (app === undefined || !token) throw unauthorized(new SignatureRefusal('malformed'), base);
  const asked = askedSince(request);
  const { record } = askedRecord(parts, request);
  const path = recordPart(record);
  const { directory } = primary;
  const since = directory.read((tx) => {
    requireHistory(tx, asked, record);
    return asked ?? primary.revision(path);
  });
  const owner = { app, token: token.id, address: clientAddress(context) };
  streams.requireRoom(owner);
  const began = directory.epoch;
  const view = parts.closedViews(record, viewerOf(request));
  const body = new ChangeStream({
    streams,
    owner,
    since,
    mustEnd: () => {
      if (!accounts.isTokenUsable(token.id, record)) return 'token';
      if (parts.closedViews(record, viewerOf(request)) !== view) return 'closed';
      return directory.epoch === began ? undefined : 'restored';
    },
    revision: () => primary.revision(path),
    changesAfter: (revision) =>
      directory.readInTurns((tx, hold) => {
        requireHistory(tx, revision, record);
        hold();
        return stepwise(changesAfter(tx, askedRecord(parts, request), revision, BATCH, base), inSteps());
      }),
    record: async (facts) => {
      const entry = accessEntry(context, facts.outcome === 'done' ? 200 : 403);
      if (entry) await accessLog.record({ ...entry, ...facts });
    },
  });
  // Keeps proxies from buffering events.
  return { kind: 'stream', mediaType: EVENTS, headers: { 'X-Accel-Buffering': 'no' }, body };
}

/** Returns the revision after which the stream begins; the last event seen takes precedence. */
function askedSince(request: RequestContext): number | undefined {
  const { declared } = request.query;
  if (declared.has('limit')) {
    throw new Problem('invalid-parameter', 'A stream of changes has no limit; leave it out.', {
      extra: { parameter: 'limit' },
    });
  }
  const lastEvent = request.context.get('Last-Event-ID');
  const since = single(declared, 'since');
  if (lastEvent !== '') return readRevision('Last-Event-ID', lastEvent);
  return since === undefined ? undefined : readRevision('since', since);
}
