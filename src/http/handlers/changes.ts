import type { ReadTx } from '../../disk/data-directory.js';
import { changeGraph, type ToldChange } from '../../records/change-graph.js';
import { readInteger, single } from '../../records/lists/arguments.js';
import { LARGEST_PAGE } from '../../records/lists/page.js';
import { recordPart } from '../../records/record-partition.js';
import { cacheControl, type Representation, type StoredAnswer } from '../answer.js';
import { forCalls, type Handler, type RequestContext } from '../request-context.js';
import {
  askedRecord,
  beginningOf,
  changesAfter,
  readRevision,
  requireHistory,
  type AskedRecord,
  type ChangesParts,
} from './changes-of-record.js';
import { graphRepresentations, nextLink } from './graph-answer.js';
import { asksForStream, streamedChanges } from './streamed-changes.js';

/** What is asked for: changes after one, so many of them. */
interface Asked extends AskedRecord {
  readonly since: number | undefined;
  readonly limit: number;
}

/** A page of changes. */
interface Page {
  readonly changes: readonly ToldChange[];
  /** Up to which change this page tells. */
  readonly revision: number;
  readonly next: string | undefined;
}

/**
 * Answers with the changes of a record since one of them: what was added, replaced and removed, when, by whom. They are
 * made from the history and not from a graph, and may be asked for as a stream.
 */
export function changesHandler(parts: ChangesParts): Handler {
  return forCalls((request) =>
    asksForStream(request) ? streamedChanges(parts, request) : answer(parts, request),
  );
}

/** @throws Problem invalid-parameter, not-found, no-history */
function answer(parts: ChangesParts, request: RequestContext): StoredAnswer {
  const { primary, ontology, base, epoch } = parts;
  const asked = askedChanges(parts, request);
  const path = recordPart(asked.record);
  // Refused before anything is negotiated.
  const state = primary.directory.read((tx) => {
    requireHistory(tx, asked.since, asked.record);
    return `${epoch()} ${primary.revision(path)} ${beginningOf(tx, asked.record)}`;
  });
  const read = (): Page => primary.directory.read((tx) => pageOf(tx, asked, base));
  const [first, ...others] = graphRepresentations(ontology, () => {
    const { changes, next } = read();
    return Promise.resolve({ quads: changeGraph(changes), link: nextLink(next) });
  });
  const json: Representation = {
    mediaType: 'application/json',
    format: 'json',
    make: () => {
      const page = read();
      return Promise.resolve({ body: JSON.stringify(page), link: nextLink(page.next) });
    },
  };
  // Before JSON-LD, which elsewhere is given to who asks for JSON.
  const representations = [...(first ? [first] : []), json, ...others];
  return {
    kind: 'stored',
    cacheControl: cacheControl.own,
    representations,
    // What the app may know of belongs to it: when that is more or less, nothing of before is still the same.
    key: `${path} changes ${asked.since} ${asked.limit} ${asked.scope}`,
    state: () => state,
    exists: () => true,
    queue: request.route.path,
    cached: false,
  };
}

function askedChanges(parts: ChangesParts, request: RequestContext): Asked {
  const { declared } = request.query;
  const since = single(declared, 'since');
  const limit = single(declared, 'limit') ?? String(LARGEST_PAGE);
  return {
    ...askedRecord(parts, request),
    since: since === undefined ? undefined : readRevision('since', since),
    limit: readInteger('limit', limit, 1, LARGEST_PAGE),
  };
}

function pageOf(tx: ReadTx, asked: Asked, base: string): Page {
  const { record, since, limit } = asked;
  const { changes, revision, isPart } = changesAfter(
    tx,
    asked,
    since ?? beginningOf(tx, record),
    limit,
    base,
  );
  const next = isPart ? `${base}${recordPart(record)}/changes?since=${revision}&limit=${limit}` : undefined;
  return { changes, revision, next };
}
