import { owl, rdf } from '../rdf/vocabulary.js';
import type { Quad } from '../rdf/terms.js';
import { readCalls } from './read-calls.js';
import { readClasses } from './classes.js';
import { readCodes } from './read-codes.js';
import { Graph } from './graph.js';
import type { Ontology } from './model.js';
import { readProperties } from './properties.js';

/**
 * Reads the OWL graph that describes record model and API into the typed model. It takes what is well stated and
 * never throws: what is missing or contradicts itself is for `checkOntology` to name.
 */
export function readOntology(quads: readonly Quad[]): Ontology {
  const graph = new Graph(quads);
  const calls = readCalls(graph);
  const classes = readClasses(graph, new Set(calls.map(({ target }) => target)));
  const properties = readProperties(graph);
  const iri = graph.instances(owl.Ontology)[0] ?? '';
  return {
    iri,
    version: graph.value(iri, owl.versionInfo) ?? '',
    classes,
    properties,
    codes: readCodes(graph, classes),
    calls,
    callByName: new Map(calls.map((call) => [call.name, call])),
    terms: new Set([...declaredTerms(graph), ...classes.keys(), ...properties.keys()]),
  };
}

/** An IRI is declared by having a type; a call, filter or parameter too. */
function declaredTerms(graph: Graph): string[] {
  return [...graph.subjects()].filter(
    (iri) => graph.objects(iri, rdf.type).length > 0 && !iri.startsWith('_:'),
  );
}
