import { LRUCache } from 'lru-cache';
import type { Accounts } from '../access/accounts/accounts.js';
import type { Viewer } from '../access/accounts/closed-classes.js';
import { pathsOf } from '../model/ontology/call-facts.js';
import type { CallModel, Ontology } from '../model/ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../model/ontology/path-template.js';
import { Problem } from '../model/problem.js';
import { hidingPlaces, placesOfClasses } from '../records/closable.js';
import { recordPart } from '../records/record-partition.js';
import type { GraphStore } from '../store/graph-store.js';
import { withoutPaths, type HiddenPaths } from '../store/hidden-paths.js';
import { SHARED, type Scope } from '../store/parts.js';
import type { PastStores } from '../store/past-store.js';
import { openPrimaryStore, type PrimaryStore } from '../store/primary-store.js';
import { presentTexts, storedGraphs } from '../store/stored-graphs.js';

/** A record as somebody sees it to whom some of its classes are closed: nothing of those can be read through it. */
export interface ClosedView {
  readonly primary: PrimaryStore;
  readonly past: PastStores;
  readonly store: GraphStore;
  readonly hides: HiddenPaths['hides'];
  /** Whether all statements that a call is about are closed. */
  closes(call: CallModel): boolean;
}

/** Returns the view of a viewer of a record; undefined where nothing is closed to them. */
export type ClosedViews = (record: string | undefined, viewer: Viewer | undefined) => ClosedView | undefined;

interface ViewParts {
  readonly ontology: Pick<Ontology, 'classes'>;
  readonly accounts: Pick<Accounts, 'closedTo'>;
  readonly primary: PrimaryStore;
  readonly past: PastStores;
  /** Where queries about other things than the record run. */
  readonly store?: GraphStore | undefined;
}

const MAX_VIEWS = 500;

/** Makes the views of records with closed classes. A view stays the same as long as the same is closed. */
export function closedViews({ ontology, accounts, primary, past, store }: ViewParts): ClosedViews {
  const views = new LRUCache<string, ClosedView>({ max: MAX_VIEWS });
  return (record, viewer) => {
    if (record === undefined || !viewer) return undefined;
    const classes = accounts.closedTo(record, viewer);
    if (classes.length === 0) return undefined;
    const key = `${record} ${classes.join(' ')}`;
    let view = views.get(key);
    if (!view) {
      const hidden = hidingPlaces(record, placesOfClasses(ontology, classes, record));
      const visible = openPrimaryStore(withoutPaths(primary.directory, hidden), primary.base);
      const pasts: PastStores = (path, revision, run) => past(path, revision, run, visible);
      const present = presentStore(recordPart(record), { primary: visible, past: pasts, store });
      const closes = ({ target }: CallModel): boolean => {
        const places = pathsOf(ontology, target).map((path) =>
          PathTemplate.of(path).prefix({ record_id: record }),
        );
        return places.length > 0 && places.every(hidden.hides);
      };
      view = { primary: visible, past: pasts, store: present, hides: hidden.hides, closes };
      views.set(key, view);
    }
    return view;
  };
}

/** @throws Problem forbidden for writing what is closed */
export function requireOpen(view: Pick<ClosedView, 'hides'> | undefined, path: string): void {
  if (view?.hides(path))
    throw new Problem('forbidden', 'This part of the record is closed to you; nothing can be written to it.');
}

/** The present state of a part, with an engine of its own; what else queries read comes from the whole store. */
function presentStore(
  part: string,
  { primary, past, store: whole }: Pick<ClosedView, 'primary' | 'past'> & Pick<ViewParts, 'store'>,
): GraphStore {
  const isOutside = (scope: Scope | undefined): boolean =>
    scope?.every((path) => path === SHARED || !(isAtOrBelow(path, part) || isAtOrBelow(part, path))) ?? false;
  const storeOf = (scope: Scope | undefined): GraphStore =>
    (isOutside(scope) ? whole : undefined) ?? past(part, primary.revision(part));
  return {
    base: primary.base,
    construct: (sparql, scope) => storeOf(scope).construct(sparql, scope),
    select: (sparql, scope, manner) => storeOf(scope).select(sparql, scope, manner),
    ask: (sparql, scope) => storeOf(scope).ask(sparql, scope),
    stored: (read) =>
      primary.directory.readInTurns((tx, hold) => read(storedGraphs(primary.base, presentTexts(tx), hold))),
    write: (change) => primary.write(change),
    has: (name) => Promise.resolve(primary.has(name)),
    revision: (path) => Promise.resolve(primary.revision(path)),
    close: () => Promise.resolve(),
  };
}
