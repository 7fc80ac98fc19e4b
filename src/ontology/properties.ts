import { cg, owl, rdf, rdfs, sh } from '../rdf/vocabulary.js';
import { choicesOf, oneOf, valueTypeOf } from './annotations.js';
import type { Graph } from './graph.js';
import { identifyings, precisions, trendKinds, type PropertyModel } from './model.js';
import { orderOf } from './shown-as.js';
import { localName } from './term-names.js';

/** In order of strength: a property declared as several kinds counts as the first. */
const kinds = [
  [owl.ObjectProperty, 'object'],
  [owl.DatatypeProperty, 'datatype'],
  [owl.AnnotationProperty, 'annotation'],
  [rdf.Property, 'annotation'],
] as const;

/**
 * The properties that property shapes want literals of. They are terms of RDF and RDF Schema, which OWL 2 DL has as
 * annotations or not at all, and in data they are what others have datatype properties for.
 */
function ofLiterals(graph: Graph): string[] {
  return [...graph.subjects()]
    .filter((shape) => graph.value(shape, sh.nodeKind) === sh.Literal)
    .flatMap((shape) => graph.iris(shape, sh.path));
}

/** The links of RDF lists, where the ontology describes them: no ontology in OWL 2 DL can declare them. */
function ofLists(graph: Graph): string[] {
  return [rdf.first, rdf.rest].filter((iri) => graph.about(iri).length > 0);
}

/** All properties that are declared, or that OWL 2 DL lets nobody declare. */
export function readProperties(graph: Graph): Map<string, PropertyModel> {
  const properties = new Map<string, PropertyModel>();
  const found = [
    [ofLists(graph), 'object'],
    [ofLiterals(graph), 'datatype'],
    ...kinds.map(([type, kind]) => [graph.instances(type), kind] as const),
  ] as const;
  for (const [iris, kind] of found) {
    for (const iri of iris) {
      if (properties.has(iri)) continue;
      const valueType = valueTypeOf(graph, iri);
      const [generatedFrom] = graph.iris(iri, cg.generatedFrom);
      const heading = graph.value(iri, cg.heading);
      const identifying = oneOf(identifyings, onlyValue(graph, iri, cg.identifying));
      const precision = oneOf(precisions, graph.value(iri, cg.precision));
      const trend = oneOf(trendKinds, graph.value(iri, cg.trend));
      properties.set(iri, {
        iri,
        kind,
        label: graph.value(iri, rdfs.label) ?? localName(iri),
        comment: graph.value(iri, rdfs.comment) ?? '',
        ...(valueType !== undefined && { valueType }),
        ...(generatedFrom !== undefined && { generatedFrom }),
        choices: choicesOf(graph, iri),
        ...(heading !== undefined && { heading }),
        order: orderOf(graph, iri),
        ...(trend !== undefined && { trend }),
        ...(identifying !== undefined && { identifying }),
        ...(precision !== undefined && { precision }),
      });
    }
  }
  return properties;
}

/** A value, where there are not several: of two decisions none is taken. */
function onlyValue(graph: Graph, iri: string, annotation: string): string | undefined {
  const [value, another] = graph.objects(iri, annotation);
  return another === undefined ? value?.value : undefined;
}
