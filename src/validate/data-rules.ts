import type { Rule } from '../ontology/check/rule.js';
import type { ViolationRule } from './violation.js';

/** The rules that data is held to: `structure` by the loader, the others by the shapes derived from the ontology. */
export const dataRules = [
  {
    id: 'structure',
    severity: 'error',
    summary: 'A file of data is well-formed RDF, about one record or about records in graphs of their own.',
    hint: 'Mend the file where the message says; load would refuse it as well.',
  },
  {
    id: 'shape-cardinality',
    severity: 'error',
    summary: 'A node has as many values of a property as its class asks for.',
    hint: 'Add the missing value, or keep only as many as the class allows.',
  },
  {
    id: 'shape-class',
    severity: 'error',
    summary: 'The node that a property leads to is of the class that the property asks for.',
    hint: 'Describe the value in the same file with the class that the message names.',
  },
  {
    id: 'shape-datatype',
    severity: 'error',
    summary:
      'The value of a property is a literal where the class wants one, with the datatype that it names.',
    hint: 'Write the value as text in quotes, with the datatype that the message names.',
  },
  {
    id: 'shape-code',
    severity: 'error',
    summary: 'A code comes from the code set of its property and says of itself what the ontology says.',
    hint: 'Take a code of the set that the message names, with its title, system and identifier.',
  },
  {
    id: 'shape-fixed-value',
    severity: 'error',
    summary: 'A value that the class fixes, such as the unit of a measurement, is the fixed one.',
    hint: 'Convert the measurement to the unit that the message names, and write the unit as plain text.',
  },
  {
    id: 'shape-date',
    severity: 'error',
    summary: 'A date is ISO 8601: a year, a month, a day, or a day with its time.',
    hint: 'Write the date as YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.',
  },
  {
    id: 'shape-choice',
    severity: 'error',
    summary: 'A property whose values are listed in the ontology has one of them.',
    hint: 'Write one of the values that the message lists, as plain text.',
  },
  {
    id: 'shape-unknown-class',
    severity: 'error',
    summary: 'Every node states its class, and every class is declared in the ontology.',
    hint: 'Give the node a class of the ontology, or declare the class there.',
  },
  {
    id: 'shape-unknown-property',
    severity: 'error',
    summary: 'Every property of the data is declared in the ontology.',
    hint: 'Take a property of the ontology (look for a misspelt name), or declare it there.',
  },
] as const satisfies readonly Rule[];

export type DataRuleId = (typeof dataRules)[number]['id'];

/** The rule of the catalogue that a violation found by `validateResource` belongs to. */
export const ruleOfViolation: Readonly<Record<ViolationRule, DataRuleId>> = {
  cardinality: 'shape-cardinality',
  range: 'shape-class',
  literal: 'shape-datatype',
  code: 'shape-code',
  unit: 'shape-fixed-value',
  date: 'shape-date',
  'unknown-class': 'shape-unknown-class',
  'unknown-property': 'shape-unknown-property',
};
