import { rangeInWords } from '../../ontology/allowed-literals.js';
import type { Rule } from '../../check/rule.js';
import type { Ontology, PropertyRule } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { sh, sp, xsd } from '../../../rdf/vocabulary.js';
import { shapeCode } from './code-shapes.js';
import { valuesIn } from './data-range-shapes.js';
import { textOf, iri, type Description, type ShapeGraph } from './shape-graph.js';
import { instanceOf, rangeOf } from './range-shapes.js';
import { integer } from '../../../rdf/terms.js';

interface Place {
  readonly graph: ShapeGraph;
  readonly ontology: Ontology;
  readonly rule: PropertyRule;
  readonly what: string;
}

interface Says {
  readonly says: Description;
  readonly message: string;
}

export const shapeCardinality: Rule = {
  id: 'shape-cardinality',
  severity: 'error',
  summary: 'A node has as many values of a property as its class requires.',
  hint: 'Add the missing value, or keep only as many as the class allows.',
};

export const shapeClass: Rule = {
  id: 'shape-class',
  severity: 'error',
  summary: 'A property leads to a node of the class that it requires.',
  hint: 'Describe the value in the same file with the class that the message names.',
};

export const shapeDatatype: Rule = {
  id: 'shape-datatype',
  severity: 'error',
  summary: 'The value of a property is a literal where the class wants one, with the datatype that it names.',
  hint: 'Write the value as text in quotes, with the datatype that the message names.',
};

export const shapeFixedValue: Rule = {
  id: 'shape-fixed-value',
  severity: 'error',
  summary: 'A value that the class fixes, such as the unit of a measurement, is the fixed one.',
  hint: 'Convert the measurement to the unit that the message names, and write the unit as plain text.',
};

export const shapeValue: Rule = {
  id: 'shape-value',
  severity: 'error',
  summary: 'A literal is one that its class allows: within bounds, of a length, or from a list.',
  hint: 'Write a value that the message allows; look at the unit, and for a slip of the pen.',
};

/** The parts of a class rule; each is reported by itself, with its own message. */
export const ruleAspects: readonly {
  readonly name: string;
  readonly rule: Rule;
  readonly describe: (place: Place) => readonly Says[];
}[] = [
  { name: 'count', rule: shapeCardinality, describe: count },
  { name: 'class', rule: shapeClass, describe: range },
  { name: 'literal', rule: shapeDatatype, describe: datatype },
  { name: 'code', rule: shapeCode, describe: codeClass },
  { name: 'fixed', rule: shapeFixedValue, describe: fixedValues },
  { name: 'values', rule: shapeValue, describe: dataRanges },
];

function count({ ontology, rule: { property, min, max }, what }: Place): Says[] {
  const least = ontology.properties.get(property)?.generatedFrom === undefined ? min : 0;
  if (least === 0 && max === Infinity) return [];
  const bounds =
    least === max
      ? `exactly ${max}`
      : [least > 0 && `at least ${least}`, max < Infinity && `at most ${max}`].filter(Boolean).join(' and ');
  return [
    {
      says: [
        [sh.path, iri(property)],
        ...(least > 0 ? [[sh.minCount, integer(least)] as const] : []),
        ...(max < Infinity ? [[sh.maxCount, integer(max)] as const] : []),
      ],
      message: `${what} must have ${bounds} of ${shortName(property)}.`,
    },
  ];
}

function range({ graph, ontology, rule, what }: Place): Says[] {
  if (rule.classes.length === 0) return [];
  return [
    {
      says: [[sh.path, iri(rule.property)], ...rangeOf(graph, ontology, rule)],
      message: `${shortName(rule.property)} of ${what} must be a ${rule.classes.map(shortName).join(' or ')}.`,
    },
  ];
}

function datatype({ rule: { property, literal, datatype }, what }: Place): Says[] {
  if (!literal) return [];
  const must = (constraint: Description[number], form: string): Says[] => [
    {
      says: [[sh.path, iri(property)], constraint],
      message: `${shortName(property)} of ${what} must be a literal${form}.`,
    },
  ];
  if (datatype === undefined) return must([sh.nodeKind, iri(sh.Literal)], '');
  // An IRI is as good as its text.
  if (datatype === xsd.anyURI) return must([sh.nodeKind, iri(sh.IRIOrLiteral)], ' or an IRI');
  return must([sh.datatype, iri(datatype)], ` of the datatype ${shortName(datatype)}`);
}

function codeClass({ graph, ontology, rule, what }: Place): Says[] {
  if (rule.codeClass === undefined) return [];
  return [
    {
      says: [
        [sh.path, graph.list([iri(rule.property), iri(sp.code)])],
        ...instanceOf(graph, ontology, [rule.codeClass]),
      ],
      message: `The code in ${shortName(rule.property)} of ${what} must be typed ${shortName(rule.codeClass)}.`,
    },
  ];
}

function fixedValues({ graph, rule, what }: Place): Says[] {
  return rule.fixed.map(({ property, value }) => ({
    says: [[sh.path, graph.list([iri(rule.property), iri(property)])], textOf(value)],
    message: `${shortName(property)} in ${shortName(rule.property)} of ${what} must be ${JSON.stringify(value)}.`,
  }));
}

function dataRanges({ graph, rule, what }: Place): Says[] {
  const name = `${shortName(rule.property)} of ${what}`;
  const own = iri(rule.property);
  return rule.ranges.map((range) => {
    const { on } = range;
    const path = on === undefined ? own : graph.list([own, iri(on)]);
    return {
      says: [[sh.path, path], ...valuesIn(graph, range)],
      message: `${on === undefined ? name : `${shortName(on)} in ${name}`} must be ${rangeInWords(range)}.`,
    };
  });
}
