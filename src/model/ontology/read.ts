import type { Quad } from '../../rdf/terms.js';
import { owl, rdf, cg, dcterms, skos, sp } from '../../rdf/vocabulary.js';
import { readClasses } from './classes.js';
import { Graph } from './graph.js';
import { isA, type Ontology, type ClassModel, type CodeModel } from './model.js';
import { orderOf } from './annotations.js';
import { prefixesOf, type Layer } from './layers.js';
import { readProperties } from './properties.js';
import { readCalls } from './read-calls.js';
import { localName } from './term-names.js';

/**
 * Reads the OWL graph of record model and API into the typed model. It takes what is well-formed and never throws;
 * `checkOntology` reports what is missing or contradictory.
 */
export function readOntology(quads: readonly Quad[], layers: readonly Layer[] = []): Ontology {
  const graph = new Graph(quads);
  const calls = readCalls(graph);
  const classes = readClasses(graph, new Set(calls.map(({ target }) => target)));
  const properties = readProperties(graph);
  const iri = graph.instances(owl.Ontology)[0] ?? '';
  const isDeclared = (key: string): boolean =>
    graph.objects(key, rdf.type).length > 0 && !key.startsWith('_:');
  const declared = [...graph.subjects()].filter(isDeclared);
  return {
    iri,
    version: graph.value(iri, owl.versionInfo) ?? '',
    layers,
    prefixes: prefixesOf(layers),
    classes,
    properties,
    codes: readCodes(graph, classes),
    calls,
    callByName: new Map(calls.map((call) => [call.name, call])),
    terms: new Set([...declared, ...classes.keys(), ...properties.keys()]),
  };
}

/** Reads all individuals below sp:Code. Without a stated system or identifier, their IRI is split into the two. */
function readCodes(graph: Graph, classes: Map<string, ClassModel>): Map<string, CodeModel> {
  const codes = new Map<string, CodeModel>();
  for (const iri of graph.subjects()) {
    if (iri.startsWith('_:')) continue;
    const types = graph.iris(iri, rdf.type).filter((type) => isA({ classes }, type, sp.Code));
    if (types.length === 0) continue;
    const identifier = localName(iri);
    codes.set(iri, {
      iri,
      title: graph.value(iri, dcterms.title) ?? '',
      heading: graph.value(iri, cg.heading),
      system: graph.value(iri, sp.system) ?? iri.slice(0, iri.length - identifier.length),
      identifier: graph.value(iri, dcterms.identifier) ?? identifier,
      classes: types,
      broader: graph.iris(iri, skos.broader).sort(),
      isOver: graph.value(iri, cg.over) === 'true',
      isOutside: ['true', 'critical'].includes(graph.value(iri, cg.outside) ?? ''),
      isCritical: graph.value(iri, cg.outside) === 'critical',
      isPlain: graph.value(iri, cg.outside) === 'false',
      isSocial: graph.value(iri, cg.social) === 'true',
      order: orderOf(graph, iri),
      denies: graph.iris(iri, cg.denies),
    });
  }
  return codes;
}
