import { pathsOf } from '../../model/ontology/call-facts.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { graphText } from '../../store/stored-graphs.js';
import { revisionOf } from '../../store/change-log.js';
import { keyOf } from '../../store/paths.js';
import { historyBegins, textAt, timeOf } from '../../store/past.js';
import type { ReadTx } from '../../store/disk/data-directory.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { resolveText } from '../../store/relative-text.js';
import { originIn, type OriginRules } from '../out/origin-names.js';
import type { ChangedSource } from './resource-maker.js';

interface AskedSources {
  readonly record: string;
  readonly names: readonly string[];
  /** The change after which they are read. Default: the last. */
  readonly revision?: number | undefined;
}

/** Reads statements of a record in one snapshot, with those of the record that they link to. */
export function statementSources(
  primary: PrimaryStore,
  origins: OriginRules,
  { record, names, revision }: AskedSources,
): ChangedSource[] {
  const { base, directory } = primary;
  return directory.read((tx) => {
    const sources = new Map<string, ChangedSource>();
    const times = new Map<number, number | undefined>();
    const add = (name: string, isLinked: boolean, withText = true): string => {
      const path = keyOf(name, base);
      if (sources.has(name) || path === undefined) return '';
      const stored = withText
        ? revision === undefined
          ? graphText(tx, path)
          : textAt(tx, path, revision)
        : '';
      const text = stored === undefined ? '' : resolveText(stored, base);
      const changed = revision ?? revisionOf(tx, path);
      if (!times.has(changed)) times.set(changed, changedAt(tx, changed));
      const origin = originIn(primary, origins, name);
      sources.set(name, { name, text, origin, revision: changed, at: times.get(changed), isLinked });
      return text;
    };
    // Of a line, what comes after the predicate.
    const linkedIn = (texts: readonly string[]): string[] =>
      texts.flatMap((text) =>
        text
          .split(`> <${record}/`)
          .slice(1)
          .map((rest) => `${record}/${rest.slice(0, rest.search(/[#>]/u))}`),
      );
    const own = names.map((name) => add(name, false));
    const linked = linkedIn(own).map((name) => add(name, true));
    // Of what is linked further only the id is needed, as of the patient.
    for (const name of [...linkedIn(linked), `${record}/demographics`]) add(name, true, false);
    return [...sources.values()];
  });
}

interface AskedCall {
  readonly record_id: string;
  readonly call: CallModel;
}

/** Returns the names that begin those of the statements that a call reads. */
export function statementPlaces(base: string, ontology: Ontology, { record_id, call }: AskedCall): string[] {
  const paths = pathsOf(ontology, call.target).map((path) => PathTemplate.of(path).prefix({ record_id }));
  return [...new Set(paths)].map((path) => base + path);
}

/** Names the statements of a record that a call reads. */
export function statementNames(
  { base, names }: Pick<PrimaryStore, 'base' | 'names'>,
  ontology: Ontology,
  asked: AskedCall,
): string[] {
  return statementPlaces(base, ontology, asked).flatMap((place) =>
    names(place).filter((name) => name === place || name.startsWith(`${place}/`)),
  );
}

/** When a change was made; at the latest when the history began. */
export function changedAt(tx: ReadTx, revision: number): number | undefined {
  const begins = historyBegins(tx);
  if (!begins || revision <= begins.revision) return begins?.at;
  return timeOf(tx, revision);
}
