import { cg, owl, rdf, rdfs } from '../rdf/vocabulary.js';
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

/** All declared properties. */
export function readProperties(graph: Graph): Map<string, PropertyModel> {
  const properties = new Map<string, PropertyModel>();
  for (const [type, kind] of kinds) {
    for (const iri of graph.instances(type)) {
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
