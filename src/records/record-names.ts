import type { Truth } from '../store/truth.js';
import { fits, placesOf, recordIri, recordPath, type Place } from './places.js';
import type { Ontology } from '../ontology/model.js';

/** Ids of all records, each once, in the order of their graphs' names. */
export function recordIds(truth: Truth, base: string): string[] {
  const ids: string[] = [];
  for (const name of truth.names(`${base}/records/`)) {
    const path = recordPath(name, base);
    if (path?.rest === '') ids.push(path.recordId);
  }
  return ids;
}

/** Names of the graphs that a record has: its own first, then all beneath it, sorted by code unit. */
export function graphNames(truth: Truth, base: string, recordId: string): string[] {
  const iri = recordIri(base, recordId);
  const own = truth.has(iri) ? [iri] : [];
  return [...own, ...[...truth.names(`${iri}/`)].sort()];
}

/** A test for names of statements: what fits the base path of a class, unlike an app's scratchpad. */
export function statementTest(ontology: Ontology, base: string): (name: string) => boolean {
  const places: readonly Place[] = placesOf(ontology);
  return (name) => {
    const rest = recordPath(name, base)?.rest ?? '';
    return rest !== '' && places.some((place) => fits(place, rest));
  };
}
