import type { Ontology } from '../ontology/model.js';
import { codeSystems, mediaTypes, rdf } from '../rdf/vocabulary.js';

/** Identifiers of code systems are short and have no marks that paths and addresses have. */
const identifier = /^[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/;
const mediaType = /^[a-z]{1,20}\/[a-z0-9][a-z0-9.+-]{0,80}$/;
/**
 * Tells which IRIs are words that everybody shares: what the ontology declares, and codes of systems that it, or the
 * table of open code sets, knows. Every other IRI may name somebody.
 */
export function publicIris(ontology: Ontology): (iri: string) => boolean {
  const systems = new Set([
    ...Object.values(codeSystems),
    ...[...ontology.codes.values()].map(({ system }) => system),
    ...ontology.calls.flatMap(({ filters }) => filters.flatMap(({ codeBase }) => codeBase ?? [])),
  ]);
  const isCode = (iri: string): boolean => {
    const end = 1 + Math.max(...['/', '#', ':'].map((mark) => iri.lastIndexOf(mark)));
    return systems.has(iri.slice(0, end)) && identifier.test(iri.slice(end));
  };
  const isMediaType = (iri: string): boolean =>
    iri.startsWith(mediaTypes) && mediaType.test(iri.slice(mediaTypes.length));
  return (iri) => iri === rdf.nil || ontology.terms.has(iri) || isMediaType(iri) || isCode(iri);
}
