import { checkOntology } from '../../../src/model/check/check.js';
import type { CallModel, Ontology } from '../../../src/model/ontology/model.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { checkPatterns } from '../../../src/model/query/check/check-patterns.js';
import { checkQuery } from '../../../src/model/query/check/check-query.js';
import { literal, namedNode, quad, type Quad, type Term } from '../../../src/rdf/terms.js';
import { api, cg, prefixes, sp } from '../../../src/rdf/vocabulary.js';
import type { Mutant } from './query-mutants.js';
import type { Served } from './swapped-container.js';

/** A change of one triple: the values that take its place; undefined takes it out. */
type Change = (value: string) => readonly (Term | undefined)[];

const text = (value: string): Term => literal(value);
const iri = (value: string): Term => namedNode(value);
const other = (value: string, choices: readonly string[]): Term[] =>
  choices.filter((choice) => choice !== value).map(text);

/** What is changed, by the property of a call, a filter or a parameter. */
const changes: Readonly<Record<string, Change>> = {
  [api.target]: (value) => [iri(`${prefixes.sp}${value.endsWith('Problem') ? 'Encounter' : 'Problem'}`)],
  [api.category]: (value) => other(value, ['container', 'record', 'user']),
  [api.cardinality]: (value) => other(value, ['single', 'multiple']),
  [api.path]: (value) => [text(value.replace(/([a-z])(\/?)$/, '$1s$2'))],
  [api.responseContentType]: () => [text('text/turtle'), text('application/ld+json'), undefined],
  [api.defaultSort]: () => [undefined, iri(`${prefixes.dcterms}title`)],
  [cg.sortPath]: () => [undefined],
  [cg.sortNames]: () => [undefined, text('v:n/v:given-name')],
  [api.hasFilter]: () => [undefined],
  [api.hasParameter]: () => [undefined],
  [cg.operator]: (value) =>
    ['begins', 'equals'].includes(value)
      ? other(value, ['begins', 'equals'])
      : other(value, ['from', 'from_excluding', 'to', 'to_excluding']),
  [api.filterSparql]: (value) => [
    text(
      value
        .replace('sp:startDate', 'sp:endDate')
        .replace('dcterms:date', 'sp:startDate')
        .replace('sp:code', 'sp:system')
        .replace('family-name', 'middle-name')
        .replace('v:bday', 'v:rev')
        .replace('foaf:gender', 'foaf:title')
        .replace('v:postal-code', 'v:locality'),
    ),
  ],
  [cg.codeBase]: (value) => [text(`${value}x`)],
  [api.clientParameterName]: (value) => [text(`${value}_x`)],
  [cg.choice]: () => [undefined],
  [cg.valueType]: (value) => other(value, ['text', 'date', 'code']),
};

/** What the index of a working set is derived from: with less of it, the whole index still answers. */
const indexed: ReadonlySet<string> = new Set([
  api.target,
  api.defaultSort,
  cg.sortPath,
  cg.sortNames,
  cg.operator,
  api.filterSparql,
  cg.valueType,
]);

/** The shipped ontology's calls as they are seen from outside, to find which of them a change is about. */
const shown = ({ iri: _, label: __, comment: ___, ...call }: CallModel): string => JSON.stringify(call);

/** All changes of calls, filters and parameters that the rules accept, with the calls that they are about. */
export function* ontologyMutants(
  quads: readonly Quad[],
  { ontology, queries }: Served,
  isChosen: (index: number) => boolean,
): Generator<Mutant | undefined> {
  let index = 0;
  // It says what can be done with each class.
  const manifests = ontology.calls.filter(({ target }) => target === sp.ContainerManifest);
  const before = new Map(ontology.calls.map((call) => [call.name, shown(call)]));
  for (const [at, old] of quads.entries()) {
    const change = changes[old.predicate.value];
    if (!change || old.subject.termType !== 'NamedNode') continue;
    for (const value of change(old.object.value)) {
      if (!isChosen(index++) || value?.equals(old.object) === true) continue;
      const now = value === undefined ? [] : [quad(old.subject, old.predicate, value)];
      const statements = [...quads.slice(0, at), ...now, ...quads.slice(at + 1)];
      const changed = readOntology(statements);
      const calls = ontology.calls.filter(({ name }) => {
        const own = changed.callByName.get(name);
        return (own && shown(own)) !== before.get(name);
      });
      const name = `${local(old.subject.value)}: ${local(old.predicate.value)} ${local(old.object.value)} → ${value ? local(value.value) : 'nothing'}`;
      yield calls.length === 0 || !isAccepted(changed, statements, queries, calls)
        ? undefined
        : {
            name,
            model: { ontology: changed, queries },
            calls: [...calls, ...(old.predicate.value === api.target ? manifests : [])].map(
              (call) => call.name,
            ),
            hasOtherIndex: indexed.has(old.predicate.value),
          };
    }
  }
}

function isAccepted(
  changed: Ontology,
  quads: readonly Quad[],
  queries: Served['queries'],
  calls: readonly CallModel[],
): boolean {
  const faults = [...checkOntology(changed, quads), ...checkPatterns(changed)];
  if (faults.some(({ severity }) => severity === 'error')) return false;
  return calls.every(({ name }) => {
    const [call, query] = [changed.callByName.get(name), queries.get(name)];
    if (!call || !query) return call !== undefined || !queries.has(name);
    return checkQuery(query.file, query.text, call, changed).problems.every(
      ({ severity }) => severity !== 'error',
    );
  });
}

const local = (value: string): string => value.replace(/^[a-z]+:[^\s{}]*[#/](?=.)/, '');
