import type { ClassModel, Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { byKey } from '../../../rdf/by-key.js';
import { integer, type Term } from '../../../rdf/terms.js';
import { rdf, sh, shapePrefixes } from '../../../rdf/vocabulary.js';
import { ruleAspects, shapeCardinality } from './rule-aspects.js';
import { atLeastOne } from './range-shapes.js';
import { iri, type ShapeGraph } from './shape-graph.js';

/**
 * Adds one shape per class that restricts properties, with own and inherited rules: data about a medication need not
 * say that it is a statement.
 */
export function addClassShapes(graph: ShapeGraph, ontology: Ontology): void {
  for (const model of byKey(ontology.classes)) {
    if (model.rules.size === 0) continue;
    const shape = iri(shapePrefixes.shape + graph.partOfName(model.iri));
    graph.say(shape, [
      [rdf.type, iri(sh.NodeShape)],
      [sh.targetClass, iri(model.iri)],
    ]);
    graph.say(shape, [[sh.property, ...propertyShapes(graph, ontology, model)]]);
    for (const { property, min } of byKey(model.rules)) addGenerated(graph, ontology, model, property, min);
  }
}

function propertyShapes(graph: ShapeGraph, ontology: Ontology, model: ClassModel): Term[] {
  const what = shortName(model.iri);
  return byKey(model.rules).flatMap((rule) =>
    ruleAspects.flatMap(({ name, rule: id, describe }) =>
      describe({ graph, ontology, rule, what }).map(({ says, message }, index) =>
        graph.add({
          name: [
            graph.partOfName(model.iri),
            graph.partOfName(rule.property),
            index === 0 ? name : `${name}${index + 1}`,
          ],
          kind: 'PropertyShape',
          rule: id,
          message,
          says,
        }),
      ),
    ),
  );
}

/** A generated value may be missing when its source is present. */
function addGenerated(
  graph: ShapeGraph,
  ontology: Ontology,
  model: ClassModel,
  property: string,
  min: number,
): void {
  const source = ontology.properties.get(property)?.generatedFrom;
  if (source === undefined || min === 0) return;
  const minimumCount = [
    [sh.path, iri(property)],
    [sh.minCount, integer(min)],
  ] as const;
  graph.add({
    name: [graph.partOfName(model.iri), graph.partOfName(property), 'generated'],
    kind: 'NodeShape',
    rule: shapeCardinality,
    message: `${shortName(model.iri)} must have at least ${min} of ${shortName(property)}, or ${shortName(source)} from which it is made.`,
    says: [
      [sh.targetClass, iri(model.iri)],
      [
        sh.or,
        graph.list([
          graph.inner([[sh.property, graph.inner(minimumCount)]]),
          graph.inner([[sh.property, atLeastOne(graph, source)]]),
        ]),
      ],
    ],
  });
}
