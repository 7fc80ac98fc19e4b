import type { Rule } from '../check/rule.js';
import { Graph } from '../ontology/graph.js';
import type { Ontology } from '../ontology/model.js';
import { layerNames, shortName } from '../ontology/term-names.js';
import { instants } from '../query/partial-date.js';
import type { Quad } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { rulesFor } from './node-rules.js';

const shapeNumber: Rule = {
  id: 'shape-number',
  severity: 'error',
  summary: 'The value of a quantity is a number.',
  hint: 'Write digits, such as 7.0, with the unit beside it; what is no number is a narrative result or a note.',
};

const shapePeriod: Rule = {
  id: 'shape-period',
  severity: 'error',
  summary: 'What has ended has not ended before it began.',
  hint: 'Look which of the two dates is wrong; pages show the thing as past.',
};

export const plausibilityRules: readonly Rule[] = [shapeNumber, shapePeriod];

export interface Implausible {
  readonly rule: string;
  /** IRI or `_:label`. */
  readonly node: string;
  readonly property: string;
  /** Names classes and properties, never a recorded value. */
  readonly message: string;
}

/**
 * Finds values that the ontology allows and that mean nothing: `validate` and `load` tell of them, and nothing is
 * refused, since a wrong date is no reason to lose what it stands on.
 */
export function implausibleValues(ontology: Ontology, quads: readonly Quad[]): Implausible[] {
  const graph = new Graph(quads);
  return [...graph.subjects()].flatMap((node) => {
    const { classes, what } = rulesFor(ontology, graph.iris(node, rdf.type));
    return classes.flatMap((iri): Implausible[] => {
      const { value = [], date = [], until = [] } = ontology.classes.get(iri)?.shown ?? {};
      const texts = (properties: readonly string[]): string[] =>
        properties.flatMap((property) => graph.objects(node, property).map((term) => term.value));
      const numberless = value.filter((property) => !texts([property]).every(isNumber));
      const begins = texts(date).flatMap((text) => instants(text)?.low ?? []);
      const early = until.filter((property) =>
        texts([property]).some((text) => {
          const end = instants(text)?.high;
          return end !== undefined && begins.some((begin) => end < begin);
        }),
      );
      return [
        ...numberless.map((property) => ({
          ...{ rule: shapeNumber.id, node, property },
          message: layerNames(ontology, `${shortName(property)} of ${what} is no number.`),
        })),
        ...early.map((property) => ({
          ...{ rule: shapePeriod.id, node, property },
          message: layerNames(
            ontology,
            `${shortName(property)} of ${what} is before ${date.map(shortName).join(' and ')}.`,
          ),
        })),
      ];
    });
  });
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
