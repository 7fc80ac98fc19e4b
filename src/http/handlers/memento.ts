import type { ReadTx } from '../../disk/data-directory.js';
import { isAtOrBelow } from '../../ontology/path-template.js';
import { isSingleton } from '../../ontology/singleton.js';
import { AT, TIMEMAP } from '../../ontology/has-past.js';
import { Problem } from '../../problem.js';
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
import type { PastStores } from '../../store/past-store.js';
import type { Answer, PlainAnswer } from '../answer.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import type { StoredParts } from './graph-answer.js';
import { askedTime, type AskedTime } from './memento-time.js';
import type { RevisionState } from './revision-state.js';

/** What earlier states are answered with. */
export interface PastParts extends StoredParts {
  readonly past: PastStores;
}

/** An earlier state of what a call reads. */
interface Memento {
  /** When it came to be, in milliseconds since 1970. */
  readonly at: number;
  /** The last change of the record in it. */
  readonly revision: number;
}

/** States that a TimeMap lists at most: the newest. */
const MOST_MEMENTOS = 1000;

/**
 * Answers a GET call about a record as of the time that is asked for (RFC 7089, pattern 1.2: a call is the original
 * resource and its own TimeGate): the same handler, over a store that holds the record as it was. Who may read the
 * record now may read what it said before. Without a time, the present answers.
 * @param live answers with the present
 * @param over makes the handler over a store, whose state is the same at all times
 */
export function mementoHandler(
  parts: PastParts,
  live: Handler,
  over: (store: GraphStore, revisionState: RevisionState) => Handler,
): Handler {
  const past = async (request: CallRequest, asked: AskedTime): Promise<Answer> => {
    const memento = parts.primary.directory.read((tx) => findMemento(tx, parts, request, asked));
    const { at, revision } = memento;
    const store = parts.past(recordOf(request), revision);
    const state = `${parts.epoch()} past ${revision}`;
    const answer = await over(store, () => state)(request);
    const fields = {
      'Memento-Datetime': new Date(at).toUTCString(),
      ...(asked.isNegotiated && { 'Content-Location': mementoUrl(request, at) }),
    };
    const found = withFields(answer, fields, linksOf(request, at));
    return found.kind === 'stored' ? { ...found, key: `${found.key} past ${revision}` } : found;
  };
  return forCalls((request) => {
    if (request.query.timemap) return timeMap(parts, request);
    const asked = askedTime(request);
    return asked ? past(request, asked) : live(request);
  });
}

const recordOf = ({ path }: CallRequest): string => recordPart(path['record_id'] ?? '');

function withFields(answer: Answer, fields: Readonly<Record<string, string>>, links?: string): Answer {
  if (answer.kind === 'stored') return { ...answer, links, headers: { ...answer.headers, ...fields } };
  const link = links === undefined ? {} : { Link: links };
  return { ...answer, headers: { ...answer.headers, ...fields, ...link } };
}

/** @throws Problem no-history, not-found */
function findMemento(
  tx: ReadTx,
  parts: PastParts,
  request: CallRequest,
  { time, isNegotiated }: AskedTime,
): Memento {
  const record = recordOf(request);
  const begins = beginning(tx);
  const until = undoneUntil(tx, time);
  if (until !== undefined) throw undone(until);
  const ends = historyUnder(tx, record);
  const then = revisionAt(tx, time) ?? (isNegotiated ? begins.revision : undefined);
  if (then === undefined) throw noHistory(begins.at);
  // Another record had the id before: whoever may read this one may not read that.
  const { began = 0 } = successionOf(tx, record) ?? {};
  if (then < began && !isNegotiated) throw notThere();
  const found = Math.max(then, began);
  const path = wanted(parts, request);
  const first = ends.get(path)?.find((end) => end >= began);
  const isEarly =
    isNegotiated && first !== undefined && first > found && textAt(tx, path, found) === undefined;
  // RFC 7089 §4.5.3: who negotiates for what is before the first state is given the first one.
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

/** The number of the last change up to one, of graphs with some paths. */
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

/** The graph that must have been there for there to be an earlier state: the resource itself, or the record of a list. */
function wanted({ base }: PastParts, request: CallRequest): string {
  const { call } = request.route;
  const isOfRecord = call.cardinality === 'multiple' || isSingleton(call);
  return isOfRecord ? recordOf(request) : request.resource.slice(base.length);
}

/** Whether a call reads the graph with a path. */
function readBy({ ontology, base }: PastParts, request: CallRequest): (path: string) => boolean {
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

/** @param since what to ask for instead, in milliseconds since 1970 */
function askFrom(since: number, sentence: (time: string) => string): Problem {
  const time = new Date(since).toISOString();
  return new Problem('no-history', sentence(time), { extra: { since: time } });
}

/** The last times at which what a call reads became what it then was (RFC 7089 §5). */
function timeMap(parts: PastParts, request: CallRequest): PlainAnswer {
  const times = parts.primary.directory.read((tx) => {
    const begins = beginning(tx);
    const isThere = presenceOf(tx, wanted(parts, request));
    const isRead = readBy(parts, request);
    const { began = 0 } = successionOf(tx, recordOf(request)) ?? {};
    const isMemento = (revision: number): boolean => revision >= began && isThere(revision);
    const revisions = new Set([begins.revision].filter(isMemento));
    for (const [path, ends] of historyUnder(tx, recordOf(request))) {
      if (isRead(path)) for (const end of ends) if (isMemento(end)) revisions.add(end);
    }
    const last = [...revisions].sort((a, b) => a - b).slice(-MOST_MEMENTOS);
    return [
      ...new Set(
        last.map((revision) =>
          revision === begins.revision ? begins.at : (timeOf(tx, revision) ?? begins.at),
        ),
      ),
    ];
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

/** The URL of a request without what asks for a time, nor what proves who asks; with another parameter instead. */
function urlOf({ resource, route, query }: CallRequest, also?: string): string {
  const pairs = query.pairs.filter(([name]) => name !== AT && name !== TIMEMAP && !name.startsWith('oauth_'));
  const given = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const all = [...given, ...(also === undefined ? [] : [also])];
  const slash = route.path.endsWith('/') ? '/' : '';
  return resource + slash + (all.length === 0 ? '' : `?${all.join('&')}`);
}
