import { closuresIn } from '../access/accounts/closed-classes.js';
import type { Ontology } from '../model/ontology/model.js';
import { isAtOrBelow } from '../model/ontology/path-template.js';
import { addTo } from '../rdf/by-key.js';
import { placesOfClasses } from '../records/closable.js';
import { recordPath } from '../records/resource-paths.js';
import { Memo } from '../store/disk/memo.js';
import { withoutPaths } from '../store/hidden-paths.js';
import { openPrimaryStore, type PrimaryStore } from '../store/primary-store.js';

/**
 * Returns a primary store without what patients have closed to all or to any user. Analysts share a level, so one that
 * names people has none of it.
 */
export function openStatements(primary: PrimaryStore, ontology: Pick<Ontology, 'classes'>): PrimaryStore {
  const { directory, base } = primary;
  const known = new Memo<ReadonlyMap<string, readonly string[]>>(directory, 1);
  const closed = (): ReadonlyMap<string, readonly string[]> =>
    known.get('closed', () => {
      const places = new Map<string, string[]>();
      for (const { record, class: iri, to } of directory.read((tx) => closuresIn(tx)))
        if (!to.startsWith('app '))
          for (const place of placesOfClasses(ontology, [iri], record)) addTo(places, record, place);
      return places;
    });
  const hides = (path: string): boolean => {
    const record = recordPath(path, '')?.recordId ?? '';
    return (
      closed()
        .get(record)
        ?.some((place) => isAtOrBelow(path, place)) ?? false
    );
  };
  return openPrimaryStore(
    withoutPaths(directory, { name: [], hides, hidesAny: () => closed().size > 0 }),
    base,
  );
}
