import { splitName } from '../../rdf/xml-text.js';
import { api, owl, prefixes, rdf, rdfs } from '../../rdf/vocabulary.js';
import { breach, type OntologyRule } from './rule.js';
import { declaredAs } from './vocabulary-terms.js';

const propertyKinds = [owl.ObjectProperty, owl.DatatypeProperty, owl.AnnotationProperty, rdf.Property];

/** Terms that need words for people; codes have titles instead. */
const described = [owl.Class, ...propertyKinds, api.Call, api.Filter, api.Parameter];

const saying = (what: 'label' | 'comment', hint: string): OntologyRule => ({
  id: `missing-${what}`,
  severity: 'warning',
  summary: `A class, property, call, filter or parameter has a ${what}.`,
  hint,
  check: ({ graph }) =>
    declaredAs(graph, described)
      .filter((iri) => !graph.objects(iri, rdfs[what]).some(({ value }) => value.trim() !== ''))
      .map((subject) => breach(subject, `has no rdfs:${what}`)),
});

const xmlName: OntologyRule = {
  id: 'xml-name',
  severity: 'error',
  summary: 'The IRI of a property ends in an XML name, so that RDF/XML can carry it.',
  hint: 'Let the name begin with a letter or underscore, and hold letters, digits, hyphens and dots only.',
  check: ({ graph }) =>
    declaredAs(graph, propertyKinds).flatMap((subject) => {
      const split = splitName(subject);
      return typeof split === 'string'
        ? breach(subject, `cannot be the name of an XML element: ${split}`)
        : [];
    }),
};

const missingDomain: OntologyRule = {
  id: 'missing-domain',
  severity: 'warning',
  summary: 'A property of data says which class has it.',
  hint: 'Restrict it on a class (rdfs:subClassOf with an owl:Restriction), or give it an rdfs:domain.',
  check: ({ graph, ontology }) => {
    const restricted = new Set([...ontology.classes.values()].flatMap(({ rules }) => [...rules.keys()]));
    // Properties that describe calls belong to no data.
    const isOfData = (iri: string): boolean =>
      ![prefixes.api, prefixes.cg].some((ours) => iri.startsWith(ours));
    return declaredAs(graph, [owl.ObjectProperty, owl.DatatypeProperty])
      .filter(
        (iri) =>
          isOfData(iri) &&
          !restricted.has(iri) &&
          graph.objects(iri, rdfs.domain).length === 0 &&
          graph.value(iri, owl.deprecated) !== 'true',
      )
      .map((subject) => breach(subject, 'stands on no class: none restricts it, and it has no rdfs:domain'));
  },
};

export const wordRules = [
  saying('label', 'Add rdfs:label with a short name for people.'),
  saying('comment', 'Add rdfs:comment with a sentence that says what it means.'),
  xmlName,
  missingDomain,
];
