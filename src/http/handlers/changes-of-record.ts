import type { ReadTx } from '../../store/disk/data-directory.js';
import { isAboutData } from '../../model/ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { Problem } from '../../model/problem.js';
import { toldChange, type ToldChange } from '../../records/change-graph.js';
import { isRecordId } from '../../records/identifiers.js';
import { readInteger } from '../../records/lists/arguments.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import { lastRevision } from '../../store/change-log.js';
import { changesUnder, historyBegins, successionOf, untold } from '../../store/past.js';
import type { Stepwise } from '../../store/steps.js';
import type { CallsOfApp } from '../authorize.js';
import type { RequestContext } from '../request-context.js';
import type { CallParts } from './reads.js';

export interface AskedRecord {
  readonly record: string;
  readonly mayRead: (path: string) => boolean;
  /** Identifies the readable paths, for cache keys. */
  readonly scope: string;
}

export interface ChangesAfter {
  readonly changes: readonly ToldChange[];
  readonly revision: number;
  readonly isPart: boolean;
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Reads a change number from a parameter or header. @throws Problem invalid-parameter */
export const readRevision = (name: string, text: string): number => readInteger(name, text, 0, MOST);

/** @throws Problem not-found */
export function askedRecord(
  { accounts, primary, ontology, base, callsOfApp }: CallParts,
  request: RequestContext,
): AskedRecord {
  const record = request.path['record_id'] ?? '';
  if (!isRecordId(record) || !primary.has(recordIri(base, record)))
    throw new Problem('not-found', 'There is no such record.');
  const { app = '', token } = request.verified?.principal ?? {};
  // Looked up each time: a stream outlives its request, and the token may be restricted meanwhile.
  const allowed = token && accounts.tokenById(token.id)?.allowed;
  const listed = callsOfApp(app, allowed);
  const scope = listed ? Array.from(listed, ({ name }) => name).join(' ') : '*';
  return { record, mayRead: readableBy(ontology, listed), scope };
}

/** Returns the calls that let an app read records, except for apps' own texts. */
export function readsOf(ontology: Ontology, listed: ReturnType<CallsOfApp>): CallModel[] {
  return ontology.calls.filter(
    (call) =>
      call.method === 'GET' && call.scope === 'record' && isAboutData(call) && (listed?.has(call) ?? true),
  );
}

/** Makes a test for paths that an app may read. */
export function readableBy(ontology: Ontology, listed: ReturnType<CallsOfApp>): (path: string) => boolean {
  const templates = readsOf(ontology, listed).map(({ path }) => PathTemplate.of(path));
  return (path) => templates.some((template) => template.match(path) !== undefined);
}

/**
 * Checks that the history covers a record's changes since a revision.
 * @throws Problem no-history, also for a number never given out, lost in a restore, or of an earlier record with the
 * same id
 */
export function requireHistory(tx: ReadTx, since: number | undefined, record?: string): void {
  const begins = historyBegins(tx);
  if (!begins) throw new Problem('no-history', 'This container keeps no history.');
  if (since === undefined) return;
  if (since > lastRevision(tx)) {
    throw new Problem(
      'no-history',
      'This container has not come to that revision; read the record anew, and ask for what changes from now on.',
    );
  }
  const reason = untold(tx, since);
  if (reason?.why === 'lost') {
    throw new Problem(
      'no-history',
      `Revision ${since} was lost when a backup was restored; read the record anew, and ask for changes since ${reason.from}.`,
      { extra: { since: reason.from } },
    );
  }
  if (reason) throw noHistory(reason.from);
  const succession = record === undefined ? undefined : successionOf(tx, recordPart(record));
  if (succession && since < succession.gone) throw noHistory(succession.began);
}

function noHistory(revision: number): Problem {
  return new Problem(
    'no-history',
    `History is kept since revision ${revision}; read the record, and ask for changes since that one.`,
    { extra: { since: revision } },
  );
}

/** Returns the revision just before the first known change of a record. */
export function beginningOf(tx: ReadTx, record: string): number {
  return Math.max(historyBegins(tx)?.revision ?? 0, successionOf(tx, recordPart(record))?.gone ?? 0);
}

/** Returns the changes after a revision that the app may see, up to a limit. */
export function* changesAfter(
  tx: ReadTx,
  { record, mayRead }: Pick<AskedRecord, 'record' | 'mayRead'>,
  since: number,
  limit: number,
  base: string,
): Stepwise<ChangesAfter> {
  const found = yield* changesUnder(tx, recordPart(record), since, limit + 1);
  const page = found.slice(0, limit);
  const changes: ToldChange[] = [];
  for (const change of page) {
    const graphs = [];
    // Loading a record is one change of thousands of graphs.
    for (const graph of change.graphs) {
      if (mayRead(graph.path)) graphs.push(graph);
      yield;
    }
    if (graphs.length > 0) changes.push(toldChange({ ...change, graphs }, base));
  }
  return { changes, revision: page.at(-1)?.revision ?? since, isPart: found.length > limit };
}
