import { rangeInWords } from '../../model/ontology/allowed-literals.js';
import { isA, type ClassModel, type Ontology, type PropertyRule } from '../../model/ontology/model.js';
import { localName, shortName } from '../../model/ontology/term-names.js';
import { prefixes, rdf, sp } from '../../rdf/vocabulary.js';
import type { ClientClass } from './client-classes.js';
import { Names, fitted, key, quoted } from './client-text.js';

type Value = 'text' | 'code' | 'node' | 'list' | 'any';

export interface ClientProperty {
  readonly name: string;
  readonly rule: PropertyRule;
  readonly value: Value;
  readonly ranges: readonly ClientClass[];
  readonly comment: string;
}

const OWN = ['iri', 'type', 'types'];

/** Names the properties of a class. @param classes those that the client knows, by IRI */
export function clientProperties(
  ontology: Ontology,
  { rules }: ClassModel,
  classes: ReadonlyMap<string, ClientClass>,
): ClientProperty[] {
  const names = new Names(ontology, OWN);
  // First come terms of the record model, which keep their local names in a conflict.
  const ordered = [...rules.values()].sort((a, b) => rank(a) - rank(b) || (a.property < b.property ? -1 : 1));
  return ordered.map((rule) => {
    const ranges = rule.classes.flatMap((iri) => classes.get(iri) ?? []);
    return {
      name: names.of(rule.property),
      rule,
      value: valueOf(ontology, rule, ranges),
      ranges,
      comment: commentOf(ontology, rule),
    };
  });
}

/** Writes the row of a property in the table of its class. */
export function propertyRow({ name, rule, value, ranges }: ClientProperty): string {
  const is = rule.max > 1 ? 'many' : rule.min > 0 ? 'one' : 'maybe';
  const classes = ranges.map((range) => quoted(range.name)).join(', ');
  const codes =
    rule.codeClass ?? (value === 'code' ? rule.classes.find((iri) => iri !== sp.Code) : undefined);
  const members = [
    `iri: ${quoted(shortName(rule.property))}`,
    `is: '${is}'`,
    `value: '${value}'`,
    ...(value === 'node' ? [`classes: [${classes}]`] : []),
    ...(codes === undefined ? [] : [`codes: ${quoted(shortName(codes))}`]),
  ];
  return fitted(`${key(name)}: {`, members, '},', { indent: '        ', inner: ' ' });
}

const rank = ({ property }: PropertyRule): number => (property.startsWith(prefixes.sp) ? 0 : 1);

function valueOf(ontology: Ontology, rule: PropertyRule, ranges: readonly ClientClass[]): Value {
  if (rule.literal || ontology.properties.get(rule.property)?.kind === 'datatype') return 'text';
  if (rule.classes.includes(rdf.List)) return 'list';
  if (rule.classes.some((iri) => isA(ontology, iri, sp.Code))) return 'code';
  return ranges.length > 0 ? 'node' : 'any';
}

function commentOf(ontology: Ontology, rule: PropertyRule): string {
  const codes = rule.codeClass === undefined ? [] : [`Codes: ${localName(rule.codeClass)}.`];
  const fixed = rule.fixed.map(({ property, value }) => `The ${localName(property)} is ${value}.`);
  const ranges = rule.ranges.map(
    (range) => `${range.on === undefined ? 'It' : `The ${localName(range.on)}`} is ${rangeInWords(range)}.`,
  );
  const says = ontology.properties.get(rule.property)?.comment ?? '';
  return [says, ...codes, ...fixed, ...ranges].filter((text) => text !== '').join(' ');
}
