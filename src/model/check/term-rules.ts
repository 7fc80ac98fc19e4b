import { api, cg, owl, rdfs, xsd, otherDatatypes, otherTerms, prefixes } from '../../rdf/vocabulary.js';
import type { Term } from '../../rdf/terms.js';
import { iriOf, readPaths } from '../ontology/filter-patterns.js';
import type { Graph } from '../ontology/graph.js';
import { readSort } from '../ontology/read-calls.js';
import { shortName } from '../ontology/term-names.js';
import { valueTypes } from '../ontology/value-types.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';
import { holdersIn, isVocabularyTerm } from './vocabulary-terms.js';

const ontologyHeader: OntologyRule = {
  id: 'ontology-header',
  severity: 'error',
  summary: 'The folder describes one owl:Ontology with one owl:versionInfo.',
  hint: 'State the header once, with its version.',
  check: ({ graph }) => {
    const headers = graph.instances(owl.Ontology);
    if (headers.length !== 1)
      return [breach(owl.Ontology, `must have exactly one instance, it has ${headers.length}`)];
    return headers
      .filter((iri) => graph.objects(iri, owl.versionInfo).length !== 1)
      .map((subject) => breach(subject, 'must state exactly one owl:versionInfo'));
  },
};

export const undeclaredTerm: OntologyRule = {
  id: 'undeclared-term',
  severity: 'error',
  summary: 'A term of the vocabularies is declared; a term of RDF Schema or OWL exists there.',
  hint: 'Look for a misspelt name, or declare the term with its kind.',
  check: (input) => [
    ...undeclaredInStatements(input),
    ...undeclaredInOrders(input),
    ...undeclaredInPaths(input),
  ],
};

const languageTerms: ReadonlySet<string> = new Set([
  ...Object.values(rdfs),
  ...Object.values(owl),
  ...otherTerms,
  prefixes.rdfs,
  prefixes.owl,
  prefixes.owl.slice(0, -1),
]);

/** A misspelt rdfs:subClassOf or owl:Class has no meaning, and nobody else may declare it. */
function isUnknownToLanguages(iri: string): boolean {
  return (
    [prefixes.rdfs, prefixes.owl].some((namespace) => iri.startsWith(namespace)) && !languageTerms.has(iri)
  );
}

function undeclaredInStatements({ quads, ontology }: OntologyInput): Breach[] {
  const undeclared = new Map<string, string>();
  const holderOf = holdersIn(quads);
  const note = (term: Term, user: Term): void => {
    if (term.termType !== 'NamedNode' || ontology.terms.has(term.value)) return;
    if (!isVocabularyTerm(term.value, ontology) && !isUnknownToLanguages(term.value)) return;
    if (!undeclared.has(term.value)) undeclared.set(term.value, holderOf(user));
  };
  for (const { subject, predicate, object } of quads) {
    for (const term of [subject, predicate, object]) note(term, subject);
  }
  return [...undeclared].map(([subject, user]) => {
    const by = user === subject || user === '' ? '' : ` by ${shortName(user)}`;
    return breach(subject, `is used${by} but not declared`);
  });
}

function sortNames(graph: Graph, call: string): string[] {
  return (graph.value(call, cg.sortNames) ?? '').split(',').filter((path) => path.trim() !== '');
}

function undeclaredInOrders({ graph, ontology: { terms } }: OntologyInput): Breach[] {
  return graph.instances(api.Call).flatMap((subject) =>
    [
      ...[readSort(graph, subject) ?? []]
        .flat()
        .map((iri) => ({ iri, near: api.defaultSort, isUnread: isUnreadSort(graph, subject) })),
      ...sortNames(graph, subject)
        .flatMap((path) => readPaths(path).flat())
        .map((iri) => ({ iri, near: cg.sortNames, isUnread: false })),
    ]
      .filter(({ iri }) => !terms.has(iri))
      .map(({ iri, near, isUnread }) =>
        breach(
          subject,
          `sorts by ${shortName(iri)}, ${isUnread ? UNREAD_SORT : 'which is not declared'}`,
          near,
        ),
      ),
  );
}

/** Text names cannot use the prefixes of their file, so a name of an own namespace stays unread. */
const UNREAD_SORT =
  'whose prefix is not one of the container: state the property itself, without quotation marks';

function isUnreadSort(graph: Graph, call: string): boolean {
  const sort = graph.objects(call, api.defaultSort)[0];
  return sort?.termType === 'Literal' && iriOf(sort.value) === undefined;
}

/** Search paths are read, not run, so query checks never see their properties. */
function undeclaredInPaths({ ontology: { calls, terms } }: OntologyInput): Breach[] {
  const parameters = new Map(calls.flatMap((call) => call.parameters).map((each) => [each.iri, each]));
  return [...parameters.values()].flatMap(({ iri: subject, paths }) =>
    [...new Set(paths.flat())]
      .filter((property) => !terms.has(property))
      .map((property) =>
        breach(subject, `compares ${shortName(property)}, which is not declared`, api.filterSparql),
      ),
  );
}

const sortNamesRule: OntologyRule = {
  id: 'sort-names',
  severity: 'error',
  summary: 'A list is ordered by paths of properties, separated by commas.',
  hint: 'Write each as properties with slashes between them, such as v:n/v:family-name.',
  check: ({ graph }) =>
    graph.instances(api.Call).flatMap((subject) =>
      sortNames(graph, subject)
        .filter((path) => readPaths(path).length !== 1)
        .map((path) =>
          breach(subject, `sorts by ${path.trim()}, which is no path of properties`, cg.sortNames),
        ),
    ),
};

const datatypes: ReadonlySet<string> = new Set([...Object.values(xsd), ...Object.values(otherDatatypes)]);

const unknownDatatype: OntologyRule = {
  id: 'unknown-datatype',
  severity: 'error',
  summary: 'A datatype of XML Schema exists there, and the container reads the value type of a property.',
  hint: 'Look for a misspelt name: xsd:string, xsd:integer, xsd:decimal, xsd:date, xsd:dateTime, xsd:anyURI; cg:valueType "date".',
  check: ({ graph, ontology, quads }) => {
    const holderOf = holdersIn(quads);
    const misread = [...ontology.properties.keys()].flatMap((subject) =>
      graph
        .objects(subject, cg.valueType)
        .filter(({ value }) => !(valueTypes as readonly string[]).includes(value))
        .map(({ value }) =>
          breach(
            subject,
            `states the cg:valueType ${value}, which is none of ${valueTypes.join(', ')}`,
            cg.valueType,
          ),
        ),
    );
    const unknown = quads.flatMap(({ subject, object }) => {
      const iri = object.termType === 'Literal' ? object.datatype.value : object.value;
      if (!iri.startsWith(prefixes.xsd) || datatypes.has(iri)) return [];
      const says = `names ${shortName(iri)}, which is no datatype of XML Schema`;
      return breach(holderOf(subject) || rdfs.Datatype, says, iri);
    });
    return [...misread, ...unknown];
  },
};

export const termRules = [ontologyHeader, undeclaredTerm, sortNamesRule, unknownDatatype];
