import { splitName } from '../../rdf/xml-names.js';
import { api, owl, prefixes, rdf, rdfs } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import type { OntologyRule } from './rule.js';
import { declaredAs } from './vocabulary-terms.js';

const propertyKinds = [owl.ObjectProperty, owl.DatatypeProperty, owl.AnnotationProperty, rdf.Property];

/** What people read about, and programs call by its name; codes have titles instead. */
const described = [owl.Class, ...propertyKinds, api.Call, api.Filter, api.Parameter];

const silent = (graph: Graph, property: string): string[] =>
  declaredAs(graph, described).filter(
    (iri) => !graph.objects(iri, property).some(({ value }) => value.trim() !== ''),
  );

const missingLabel: OntologyRule = {
  id: 'missing-label',
  severity: 'warning',
  summary: 'A class, property, call, filter or parameter has a label.',
  hint: 'Add rdfs:label with a short name for people.',
  check: ({ graph }) => silent(graph, rdfs.label).map((subject) => ({ subject, says: 'has no rdfs:label' })),
};

const missingComment: OntologyRule = {
  id: 'missing-comment',
  severity: 'warning',
  summary: 'A class, property, call, filter or parameter has a comment.',
  hint: 'Add rdfs:comment with a sentence that says what it means.',
  check: ({ graph }) =>
    silent(graph, rdfs.comment).map((subject) => ({ subject, says: 'has no rdfs:comment' })),
};

const xmlName: OntologyRule = {
  id: 'xml-name',
  severity: 'error',
  summary: 'The IRI of a property ends in an XML name, so that RDF/XML can carry it.',
  hint: 'Let the name begin with a letter or underscore, and hold letters, digits, hyphens and dots only.',
  check: ({ graph }) =>
    declaredAs(graph, propertyKinds).flatMap((subject) => {
      const split = splitName(subject);
      return typeof split === 'string'
        ? [{ subject, says: `cannot be the name of an XML element: ${split}` }]
        : [];
    }),
};

const missingDomain: OntologyRule = {
  id: 'missing-domain',
  severity: 'warning',
  summary: 'A property of data says on which class it stands.',
  hint: 'Restrict it on a class (rdfs:subClassOf with an owl:Restriction), or give it an rdfs:domain.',
  check: ({ graph, ontology }) => {
    const restricted = new Set([...ontology.classes.values()].flatMap(({ rules }) => [...rules.keys()]));
    // What describes calls stands on no data.
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
      .map((subject) => ({
        subject,
        says: 'stands on no class: none restricts it, and it has no rdfs:domain',
      }));
  },
};

/** Rules about names, words and places of terms. */
export const wordRules = [missingLabel, missingComment, xmlName, missingDomain];
