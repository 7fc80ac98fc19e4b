import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { recordIri, recordsStart } from '../../records/resource-paths.js';
import { revisionOf } from '../../store/change-log.js';
import type { ReadTx } from '../../store/disk/data-directory.js';
import { endsOf, historyBegins, presenceOf, successionOf } from '../../store/past.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { pathOfId } from '../out/export-names.js';
import type { OriginRules } from '../out/origin-names.js';
import type { ResourceName } from '../resource-names.js';
import { statementName } from '../statement-names.js';
import { changedAt, statementPlaces } from './statement-sources.js';

interface AskedCalls {
  readonly record: string;
  readonly calls: readonly CallModel[];
  readonly asked: ResourceName;
}

/** Whether a resource was made of a statement that has been removed, as far as the history knows. */
export function isGone(
  { base, directory }: Pick<PrimaryStore, 'base' | 'directory'>,
  origins: OriginRules,
  ontology: Ontology,
  { record, calls, asked }: AskedCalls,
): boolean {
  const iri = recordIri(base, record);
  const names = origins.makers
    .filter(({ sources }) => sources.includes(asked.type))
    .map(({ path }) => statementName({ record: iri, path, resource: asked }, origins));
  names.push(recordsStart(base) + (pathOfId(asked.id) ?? '').replace(/#.*$/u, ''));
  const places = calls.flatMap((call) => statementPlaces(base, ontology, { record_id: record, call }));
  const own = names.filter((name) => places.some((place) => name.startsWith(`${place}/`)));
  return directory.read((tx) =>
    own.some((name) => versionsOf(tx, name.slice(base.length), `/records/${record}`)[0]?.isRemoved),
  );
}

export interface Version {
  /** The change that made it, which is its id. */
  readonly revision: number;
  readonly at: number | undefined;
  /** Whether the statement was removed then. */
  readonly isRemoved: boolean;
}

/**
 * Returns the versions of a statement that the history knows, the newest first. What was there before the record was
 * removed is of an earlier record.
 * @param path of the statement @param record its path
 */
export function versionsOf(tx: ReadTx, path: string, record: string): Version[] {
  const ends = endsOf(tx, path);
  const isThere = presenceOf(tx, path);
  const { began = 0 } = successionOf(tx, record) ?? {};
  const begins = historyBegins(tx)?.revision ?? 0;
  const first = ends.length === 0 ? revisionOf(tx, path) : begins;
  return [...new Set([first, ...ends])]
    .filter((revision, index) => revision >= began && (index > 0 || isThere(revision)))
    .map((revision) => ({ revision, at: changedAt(tx, revision), isRemoved: !isThere(revision) }))
    .reverse();
}
