import { cg, owl, rdf, rdfs, sh } from '../../rdf/vocabulary.js';
import { choicesOf, oneOf, valueTypeOf, orderOf } from './annotations.js';
import type { Graph } from './graph.js';
import { identifyings, precisions, shownAsWords, trendKinds, type PropertyModel } from './model.js';
import { localName } from './term-names.js';

const kinds = [
  [owl.ObjectProperty, 'object'],
  [owl.DatatypeProperty, 'datatype'],
  [owl.AnnotationProperty, 'annotation'],
  [rdf.Property, 'annotation'],
] as const;

/** Properties for which shapes require literals: terms of RDF and RDFS, which OWL 2 DL lets nobody declare. */
function ofLiterals(graph: Graph): string[] {
  return [...graph.subjects()]
    .filter((shape) => graph.value(shape, sh.nodeKind) === sh.Literal)
    .flatMap((shape) => graph.iris(shape, sh.path));
}

/** The links of RDF lists, if the ontology describes them; OWL 2 DL lets nobody declare them. */
function ofLists(graph: Graph): string[] {
  return [rdf.first, rdf.rest].filter((iri) => graph.about(iri).length > 0);
}

/** Reads all properties that are declared, or that OWL 2 DL lets nobody declare. */
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
      properties.set(iri, {
        iri,
        kind,
        label: graph.value(iri, rdfs.label) ?? localName(iri),
        comment: graph.value(iri, rdfs.comment) ?? '',
        valueType: valueTypeOf(graph, iri),
        generatedFrom: graph.iris(iri, cg.generatedFrom)[0],
        choices: choicesOf(graph, iri),
        heading: graph.value(iri, cg.heading),
        order: orderOf(graph, iri),
        trend: oneOf(trendKinds, graph.value(iri, cg.trend)),
        decimals: digitIn(graph.value(iri, cg.decimals)),
        shownAs: oneOf(shownAsWords, graph.value(iri, cg.shownAs)),
        identifying: oneOf(identifyings, onlyValue(graph, iri, cg.identifying)),
        precision: oneOf(precisions, graph.value(iri, cg.precision)),
        form: graph.value(iri, cg.form),
        common: commonIn(graph, iri),
      });
    }
  }
  return properties;
}

function digitIn(text = ''): number | undefined {
  return /^\d$/.test(text) ? Number(text) : undefined;
}

/** Returns the values that many people have, if the ontology lists them. */
function commonIn(graph: Graph, iri: string): string[] | undefined {
  const listed = graph.objects(iri, cg.common).map(({ value }) => value);
  return listed.length > 0 ? listed : undefined;
}

/** Returns the value if there is exactly one, since contradicting decisions cancel each other. */
function onlyValue(graph: Graph, iri: string, annotation: string): string | undefined {
  const [value, another] = graph.objects(iri, annotation);
  return another === undefined ? value?.value : undefined;
}
