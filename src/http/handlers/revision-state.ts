import { Memo } from '../../disk/memo.js';
import { placesRead } from '../../ontology/call-places.js';
import type { Ontology } from '../../ontology/model.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { Addressed } from './reads.js';

/** What states are read from. */
export interface States {
  readonly ontology: Ontology;
  readonly primary: PrimaryStore;
  /** The epoch of the data directory. */
  readonly epoch: () => string;
}

/** Reads the state of everything that the answer to a request is made of. */
export type RevisionState = (asked: Addressed) => string;

/** How many states are held at a time between two commits. */
const AT_HAND = 10_000;

/**
 * Makes what reads states: the epoch of the data directory and the revisions of the ontology and of the places that a
 * call reads, as far as the request fixes them, in one snapshot. A state changes with every write that can change the
 * answer, made by whichever process.
 */
export function revisionStates({ primary, ontology, epoch }: States): RevisionState {
  const states = new Memo<{ readonly state: string }>(primary.directory, AT_HAND);
  const stateOf = ({ call, path }: Addressed): string => {
    const read = placesRead(ontology, call).map((template) => template.prefix(path));
    const places = new Set(['/ontology', ...read]);
    return primary.directory.read(() => {
      let state = epoch();
      for (const place of places) state += ` ${place} ${primary.revision(place)}`;
      return state;
    });
  };
  return (asked) =>
    states.get(`${asked.call.iri} ${asked.resource}`, () => ({ state: stateOf(asked) })).state;
}
