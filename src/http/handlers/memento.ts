import type { ReadTx } from '../../store/disk/data-directory.js';
import { isAtOrBelow } from '../../model/ontology/path-template.js';
import { isSingleton, AT, TIMEMAP } from '../../model/ontology/call-facts.js';
import { Problem } from '../../model/problem.js';
import { placesInRecord, recordPart } from '../../records/record-partition.js';
import type { GraphStore } from '../../store/graph-store.js';
import {
  historyBegins,
  historyUnder,
  presenceOf,
  revisionAt,
  successionOf,
  textAt,
  timeOf,
  undoneUntil,
} from '../../store/past.js';
import type { Answer, Content, PlainAnswer, Representation } from '../answer.js';
import { stepwise, type Stepwise } from '../../store/steps.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import type { CallParts, RevisionState } from './reads.js';

interface Memento {
  readonly at: number;
  readonly revision: number;
}

const MAX_MEMENTOS = 1000;

/**
 * Answers a record's GET call as of a past time (RFC 7089, pattern 1.2: the original resource is its own TimeGate),
 * using the same handler over a store of that state. An app that may read the record now may read its past.
 * @param over makes the handler over a store with a constant state
 */
export function mementoHandler(
  parts: CallParts,
  over: (store: GraphStore, revisionState: RevisionState) => Handler,
): Handler {
  return forCalls(async (request): Promise<Answer> => {
    if (request.query.timemap) return timeMap(parts, request);
    const asked = askedTime(request);
    const { at, revision } = await inSteps(parts, request, (tx) => findMemento(tx, parts, request, asked));
    const store = parts.past(recordOf(request), revision, request.inSteps);
    const state = `${parts.primary.directory.epoch} past ${revision}`;
    const answer = await over(store, () => state)(request);
    const fields = {
      'Memento-Datetime': new Date(at).toUTCString(),
      ...(asked.isNegotiated && { 'Content-Location': mementoUrl(request, at) }),
    };
    const found = withFields(answer, fields, linksOf(request, at));
    if (found.kind !== 'stored') return found;
    // Filling the store of that state takes long, so it does not hold up the queue of queries.
    const read = async (chosen: Representation): Promise<Content> => {
      const made = await found.read(chosen);
      return typeof made === 'function' ? made() : made;
    };
    return {
      ...found,
      key: `${found.key} past ${revision}`,
      read: (chosen) => Promise.resolve(() => read(chosen)),
    };
  });
}

/** Reads the history in one snapshot. */
function inSteps<T>(
  { primary }: CallParts,
  request: CallRequest,
  work: (tx: ReadTx) => Stepwise<T>,
): Promise<T> {
  return request.inSteps((pause) =>
    primary.directory.readInTurns((tx, hold) => {
      hold();
      return stepwise(work(tx), pause);
    }),
  );
}

interface AskedTime {
  readonly time: number;
  /** Whether a time before the first state means the first (RFC 7089 §4.5.3). */
  readonly isNegotiated: boolean;
}

/** A date-time of RFC 3339 §5.6, with a zone. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** The HTTP date of RFC 7089 §2.1.1. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads `at`, else Accept-Datetime, to the end of its second. @throws Problem invalid-parameter, malformed-request */
function askedTime({ context, query }: CallRequest): AskedTime {
  if (query.at !== undefined) {
    const time = TIME.test(query.at) && isDay(query.at.slice(0, 10)) ? Date.parse(query.at) : Number.NaN;
    if (!Number.isNaN(time)) return { time, isNegotiated: false };
    throw new Problem(
      'invalid-parameter',
      `${AT} is a time with its zone, such as 2026-03-01T12:00:00Z; write + as %2B.`,
      { extra: { parameter: AT } },
    );
  }
  const field = context.get('Accept-Datetime').trim();
  const time = HTTP_DATE.test(field) ? Date.parse(field) : Number.NaN;
  // Date.parse moves 30 February to March.
  if (!Number.isNaN(time) && new Date(time).toUTCString().slice(5) === field.slice(5))
    return { time: time + 999, isNegotiated: true };
  throw new Problem(
    'malformed-request',
    'Accept-Datetime is a date such as Sun, 01 Mar 2026 12:00:00 GMT (RFC 7089).',
  );
}

/** Whether the calendar has this day. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const recordOf = ({ path }: CallRequest): string => recordPart(path['record_id'] ?? '');

function withFields(answer: Answer, fields: Readonly<Record<string, string>>, links?: string): Answer {
  if (answer.kind === 'stored') return { ...answer, links, headers: { ...answer.headers, ...fields } };
  const link = links === undefined ? {} : { Link: links };
  return { ...answer, headers: { ...answer.headers, ...fields, ...link } };
}

/** @throws Problem no-history, not-found */
function* findMemento(
  tx: ReadTx,
  parts: CallParts,
  request: CallRequest,
  { time, isNegotiated }: AskedTime,
): Stepwise<Memento> {
  const record = recordOf(request);
  const begins = beginning(tx);
  const until = undoneUntil(tx, time);
  if (until !== undefined) throw undone(until);
  const ends = yield* historyUnder(tx, record);
  const then = revisionAt(tx, time) ?? (isNegotiated ? begins.revision : undefined);
  if (then === undefined) throw noHistory(begins.at);
  // An earlier record with the same id is not readable.
  const { began = 0 } = successionOf(tx, record) ?? {};
  if (then < began && !isNegotiated) throw notThere();
  const found = Math.max(then, began);
  const path = wanted(parts, request);
  const first = ends.get(path)?.find((end) => end >= began);
  const isEarly =
    isNegotiated && first !== undefined && first > found && textAt(tx, path, found) === undefined;
  // RFC 7089 §4.5.3: negotiating a time before the first state returns the first.
  const last = isEarly ? first : found;
  if (textAt(tx, record, last) === undefined) throw notThere();
  const isRead = readBy(parts, request);
  const read = newest(ends, last, isRead);
  return {
    revision: newest(ends, last) ?? begins.revision,
    at: (read === undefined ? undefined : timeOf(tx, read)) ?? begins.at,
  };
}

const notThere = (): Problem => new Problem('not-found', 'The record was not there at that time.');

function newest(
  ends: ReadonlyMap<string, readonly number[]>,
  last: number,
  isMeant: (path: string) => boolean = () => true,
): number | undefined {
  let found: number | undefined;
  for (const [path, revisions] of ends) {
    if (!isMeant(path)) continue;
    const own = revisions.findLast((revision) => revision <= last);
    if (own !== undefined && own > (found ?? 0)) found = own;
  }
  return found;
}

/** Returns the path that must exist in an earlier state: the resource, or for a list its record. */
function wanted({ base }: CallParts, request: CallRequest): string {
  const { call } = request.route;
  const isOfRecord = call.cardinality === 'multiple' || isSingleton(call);
  return isOfRecord ? recordOf(request) : request.resource.slice(base.length);
}

function readBy({ ontology, base }: CallParts, request: CallRequest): (path: string) => boolean {
  const { call } = request.route;
  const single = call.cardinality === 'single' ? [request.resource.slice(base.length)] : [];
  const read = [...single, ...placesInRecord(ontology, call, request.path)];
  return (path) => read.some((each) => isAtOrBelow(path, each));
}

function beginning(tx: ReadTx): Memento {
  const begins = historyBegins(tx);
  if (begins) return begins;
  throw new Problem('no-history', 'This container keeps no history; ask for the present.');
}

function noHistory(since: number): Problem {
  return askFrom(since, (time) => `History is kept since ${time}; ask for that time or a later one.`);
}

function undone(until: number): Problem {
  return askFrom(
    until,
    (time) => `That time was undone when a backup was restored; ask for ${time} or a later one.`,
  );
}

function askFrom(since: number, sentence: (time: string) => string): Problem {
  const time = new Date(since).toISOString();
  return new Problem('no-history', sentence(time), { extra: { since: time } });
}

/** Lists the latest times at which anything that the call reads changed (RFC 7089 §5). */
async function timeMap(parts: CallParts, request: CallRequest): Promise<PlainAnswer> {
  const times = await inSteps(parts, request, function* (tx): Stepwise<number[]> {
    const begins = beginning(tx);
    const isThere = presenceOf(tx, wanted(parts, request));
    const isRead = readBy(parts, request);
    const { began = 0 } = successionOf(tx, recordOf(request)) ?? {};
    const isMemento = (revision: number): boolean => revision >= began && isThere(revision);
    const revisions = new Set([begins.revision].filter(isMemento));
    for (const [path, ends] of yield* historyUnder(tx, recordOf(request))) {
      if (isRead(path)) for (const end of ends) if (isMemento(end)) revisions.add(end);
    }
    const last = [...revisions].sort((a, b) => a - b).slice(-MAX_MEMENTOS);
    const found = new Set<number>();
    for (const revision of last) {
      found.add(revision === begins.revision ? begins.at : (timeOf(tx, revision) ?? begins.at));
      yield;
    }
    return [...found];
  });
  const [from, until] = [times[0], times.at(-1)].map((time) =>
    time === undefined ? undefined : new Date(time).toUTCString(),
  );
  const range = from === undefined || until === undefined ? '' : `; from="${from}"; until="${until}"`;
  const mementos = times.map((time, index) => {
    const place = [index === 0 ? 'first ' : '', index === times.length - 1 ? 'last ' : ''].join('');
    return memento(request, time, `${place}memento`);
  });
  const links = [
    `<${urlOf(request)}>; rel="original timegate"`,
    `<${urlOf(request, TIMEMAP)}>; rel="self"; type="${LINK_FORMAT}"${range}`,
    ...mementos,
  ];
  return {
    kind: 'plain',
    mediaType: LINK_FORMAT,
    cacheControl: 'private, no-cache',
    body: `${links.join(',\n')}\n`,
  };
}

/** RFC 6690 §7.3. */
const LINK_FORMAT = 'application/link-format';

function linksOf(request: CallRequest, at: number): string {
  return [
    `<${urlOf(request)}>; rel="original timegate"`,
    `<${urlOf(request, TIMEMAP)}>; rel="timemap"; type="${LINK_FORMAT}"`,
    memento(request, at, 'memento'),
  ].join(', ');
}

function memento(request: CallRequest, at: number, rel: string): string {
  return `<${mementoUrl(request, at)}>; rel="${rel}"; datetime="${new Date(at).toUTCString()}"`;
}

function mementoUrl(request: CallRequest, at: number): string {
  return urlOf(request, `${AT}=${new Date(at).toISOString()}`);
}

/** Returns the request's URL without time and OAuth parameters. @param also a parameter to add */
function urlOf({ resource, route, query }: CallRequest, also?: string): string {
  const pairs = query.pairs.filter(([name]) => name !== AT && name !== TIMEMAP && !name.startsWith('oauth_'));
  const given = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const all = [...given, ...(also === undefined ? [] : [also])];
  const slash = route.path.endsWith('/') ? '/' : '';
  return resource + slash + (all.length === 0 ? '' : `?${all.join('&')}`);
}
