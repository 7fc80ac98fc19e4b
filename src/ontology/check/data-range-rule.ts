import { owl, rdfs } from '../../rdf/vocabulary.js';
import { areEmpty, rangeInWords } from '../allowed-literals.js';
import { dataRangesOf, rangesAside, type UnreadRange } from '../data-ranges.js';
import type { PropertyRule } from '../model.js';
import { fillers } from '../restrictions.js';
import { shortName } from '../term-names.js';
import type { Breach, OntologyInput, OntologyRule } from './rule.js';

/** Data ranges that cannot be read: they would ask for nothing, without a word. What has a name is told once. */
function unread({ graph, ontology }: OntologyInput): Breach[] {
  const found = [...ontology.classes.keys()].flatMap((subject) =>
    graph
      .objects(subject, rdfs.subClassOf)
      .flatMap((restriction) =>
        graph
          .iris(restriction, owl.onProperty)
          .flatMap((property) =>
            [
              ...fillers(graph, restriction).flatMap((filler) => dataRangesOf(graph, property, filler)),
              ...rangesAside(graph, restriction, [owl.someValuesFrom]),
            ].flatMap((read) => ('fault' in read ? [breachOf(subject, property, read)] : [])),
          ),
      ),
  );
  for (const subject of ontology.properties.keys()) {
    for (const { near, fault } of rangesAside(graph, subject, [rdfs.range]))
      found.push({ subject, near, says: `has a data range ${fault}` });
  }
  return [...new Map(found.map((breach) => [`${breach.subject} ${breach.says}`, breach])).values()];
}

function breachOf(subject: string, property: string, { name, near, fault }: UnreadRange): Breach {
  return name === undefined
    ? { subject, near: near ?? property, says: `restricts ${shortName(property)} to a data range ${fault}` }
    : { subject: name, near, says: `is defined as a data range ${fault}` };
}

/** What a class and those above it leave of the values of a property, where that is nothing. */
function empty({ ontology }: OntologyInput): Breach[] {
  return [...ontology.classes.values()].flatMap(({ iri: subject, rules }) =>
    [...rules.values()].flatMap((rule) => emptyIn(subject, rule)),
  );
}

function emptyIn(subject: string, { property: near, ranges }: PropertyRule): Breach[] {
  return [...new Set(ranges.map(({ on }) => on))].flatMap((on) => {
    const together = ranges.filter((range) => range.on === on);
    if (!areEmpty(together)) return [];
    const what = on === undefined ? shortName(near) : `${shortName(on)} in ${shortName(near)}`;
    return [{ subject, near, says: `leaves no value for ${what}: ${together.map(rangeInWords).join('; ')}` }];
  });
}

export const dataRange: OntologyRule = {
  id: 'data-range',
  severity: 'error',
  summary:
    'A data range lists literals, or bounds a datatype by what the container checks, and leaves some value.',
  hint: 'Lead to it by owl:allValuesFrom of a class. State owl:oneOf with literals; or owl:onDatatype with numbers or dates and xsd:minInclusive, minExclusive, maxInclusive or maxExclusive; or with xsd:string and xsd:length, minLength or maxLength.',
  check: (input) => [...unread(input), ...empty(input)],
};
