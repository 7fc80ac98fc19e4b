import type { Accounts } from '../../accounts/accounts.js';
import type { AccessLog } from '../../access-log/access-log.js';
import type { ReadTx } from '../../disk/data-directory.js';
import { isAboutData } from '../../ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { Problem } from '../../problem.js';
import { toldChange, type ToldChange } from '../../records/change-graph.js';
import { isRecordId } from '../../records/identifiers.js';
import { readInteger } from '../../records/lists/arguments.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import { lastRevision } from '../../store/change-log.js';
import { changesUnder, historyBegins, successionOf, untold } from '../../store/past.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { CallsOfApp } from '../app-requirements.js';
import type { RequestContext } from '../request-context.js';
import type { Streams } from '../streams.js';

/** What the changes of records are read and streamed with. */
export interface ChangesParts {
  readonly accounts: Pick<Accounts, 'isTokenAlive' | 'tokenById'>;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly streams: Streams;
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  /** The base URL without a trailing slash. */
  readonly base: string;
  readonly epoch: () => string;
  readonly callsOfApp: CallsOfApp;
}

/** Whose changes are asked for, by an app. */
export interface AskedRecord {
  readonly record: string;
  /** Whether the app may know of a resource, by its path. */
  readonly mayRead: (path: string) => boolean;
  /** The same for all resources, as a text. */
  readonly scope: string;
}

/** Some changes of a record. */
export interface ChangesAfter {
  /** Those that the app may know of. */
  readonly changes: readonly ToldChange[];
  /** Up to which change they tell. */
  readonly revision: number;
  /** Whether there are more. */
  readonly isPart: boolean;
}

/** Beyond every number of a change. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The number of a change, as a parameter or a header field gives it. @throws Problem invalid-parameter */
export const readRevision = (name: string, text: string): number => readInteger(name, text, 0, MOST);

/** @throws Problem not-found */
export function askedRecord(
  { accounts, primary, ontology, base, callsOfApp }: Omit<ChangesParts, 'accessLog' | 'streams' | 'epoch'>,
  request: RequestContext,
): AskedRecord {
  const record = request.path['record_id'] ?? '';
  if (!isRecordId(record) || !primary.has(recordIri(base, record)))
    throw new Problem('not-found', 'There is no such record.');
  const { app = '', token } = request.verified?.principal ?? {};
  // Looked up anew: a stream outlives its request, and a token may be bound meanwhile.
  const allowed = token && accounts.tokenById(token.id)?.allowed;
  const listed = callsOfApp(app, allowed);
  const scope = listed ? Array.from(listed, ({ name }) => name).join(' ') : '*';
  return { record, mayRead: readableBy(ontology, listed), scope };
}

/** What an app may read of records: all that calls answer, or what it is held to; never what apps keep for themselves. */
export function readsOf(ontology: Ontology, listed: ReturnType<CallsOfApp>): CallModel[] {
  return ontology.calls.filter(
    (call) =>
      call.method === 'GET' && call.scope === 'record' && isAboutData(call) && (listed?.has(call) ?? true),
  );
}

/** The same as paths of resources. */
export function readableBy(ontology: Ontology, listed: ReturnType<CallsOfApp>): (path: string) => boolean {
  const templates = readsOf(ontology, listed).map(({ path }) => PathTemplate.of(path));
  return (path) => templates.some((template) => template.match(path) !== undefined);
}

/**
 * @param since the number of a change after which changes are asked for
 * @param record of which they are asked for
 * @throws Problem no-history, also for a number that was never given out here, or not since a backup was restored, and
 * for one at which another record had the id
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

/** @param revision since which there is a history */
function noHistory(revision: number): Problem {
  return new Problem(
    'no-history',
    `History is kept since revision ${revision}; read the record, and ask for changes since that one.`,
    { extra: { since: revision } },
  );
}

/** Before the first change of a record that is told of. */
export function beginningOf(tx: ReadTx, record: string): number {
  return Math.max(historyBegins(tx)?.revision ?? 0, successionOf(tx, recordPart(record))?.gone ?? 0);
}

/** The changes after one, so many at most, as far as the app may know of them. */
export function changesAfter(
  tx: ReadTx,
  { record, mayRead }: Pick<AskedRecord, 'record' | 'mayRead'>,
  since: number,
  limit: number,
  base: string,
): ChangesAfter {
  const found = changesUnder(tx, recordPart(record), since, limit + 1);
  const page = found.slice(0, limit);
  const changes = page
    .map((change) => ({ ...change, graphs: change.graphs.filter((graph) => mayRead(graph.path)) }))
    .filter(({ graphs }) => graphs.length > 0)
    .map((change) => toldChange(change, base));
  return { changes, revision: page.at(-1)?.revision ?? since, isPart: found.length > limit };
}
