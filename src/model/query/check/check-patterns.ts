import type { CallModel, Ontology } from '../../ontology/model.js';
import { isVocabularyTerm } from '../../check/vocabulary-terms.js';
import { comparedProperty, foreignProperty } from '../../check/comparison-rules.js';
import { undeclaredTerm } from '../../check/term-rules.js';
import { problem, type Rule, type OntologyProblem } from '../../check/rule.js';
import { expandName, shortName } from '../../ontology/term-names.js';
import { literal } from '../../../rdf/terms.js';
import { api, sp } from '../../../rdf/vocabulary.js';
import {
  bindFilter,
  DESCENDANTS,
  hasPattern,
  patternFault,
  takesDescendants,
  type Bindable,
} from '../bind-filter.js';
import { guardFaults, type Policy, isAboutRecord, policyOf } from './guards.js';
import { asksFor, propertiesOf, readerOf } from './patterns.js';
import { queryReach, reachOf } from './query-reach.js';
import { treeOrFault, type QueryTree, type SyntaxFault } from '../syntax.js';
import { tokenize } from '../tokenizer.js';

const patternSyntax: Rule = {
  id: 'pattern-syntax',
  severity: 'error',
  summary: 'The pattern of a filter or parameter is SPARQL with a place for its own value.',
  hint: 'Fix the pattern; {name} stands for the value of the parameter of that name.',
};

const patternUnguarded: Rule = {
  id: 'pattern-unguarded',
  severity: 'error',
  summary: 'The pattern of a filter or parameter reads only graphs that its call may read.',
  hint: 'Say so of each graph: GRAPH ?v { ?v sp:belongsTo ?owner } GRAPH ?part { ?part sp:belongsTo ?owner }.',
};

const parameterDescendants: Rule = {
  id: 'parameter-descendants',
  severity: 'error',
  summary:
    'A list with the parameter descendants has filters by code, each with its value in one triple of its pattern.',
  hint: 'Write the value of a code as the object of a triple, such as ?v sp:problemName/sp:code {snomed}, or leave the parameter away.',
};

const patternIdle: Rule = {
  id: 'pattern-idle',
  severity: 'error',
  summary: 'The pattern of a filter keeps something out, whatever its value is.',
  hint: 'Write the value where it must match: not in OPTIONAL alone, and in every branch of a UNION.',
};

export const patternRules: readonly Rule[] = [
  patternSyntax,
  patternUnguarded,
  patternIdle,
  parameterDescendants,
];

const STATEMENT = 'statement';
const EXAMPLE = 'example-of-a-value';
const isExample = (value: string): boolean => value.endsWith(EXAMPLE);

export function checkPatterns(ontology: Ontology): OntologyProblem[] {
  const found = ontology.calls.flatMap((call) =>
    [...call.filters, ...call.parameters].filter(hasPattern).flatMap((pattern) => {
      const faults = patternFaults(pattern);
      if (faults.length > 0) return faults.map((says) => patternProblem(patternSyntax, pattern.iri, says));
      return [
        ...undeclaredTerms(pattern, ontology),
        ...foreignProperties(pattern, call, ontology),
        ...(isIdle(pattern) ? [patternProblem(patternIdle, pattern.iri, 'keeps everything')] : []),
        ...graphsBeyond(pattern, call, reachOf(call, ontology, [STATEMENT])).map((graph) =>
          patternProblem(
            queryReach,
            pattern.iri,
            `reads a graph ${graph} that is nothing that ${shortName(call.iri)} is about`,
          ),
        ),
        ...graphsBeyond(pattern, call, policyOf(call, ontology)).map((graph) =>
          patternProblem(
            patternUnguarded,
            pattern.iri,
            isAboutRecord(call)
              ? `reads a graph ${graph} that may belong to another record than ?v`
              : `reads a graph ${graph} that is nothing that ${shortName(call.iri)} is about`,
          ),
        ),
      ];
    }),
  );
  found.push(...ontology.calls.flatMap(descendantsFaults));
  return [...new Map(found.map((problem) => [`${problem.rule} ${problem.message}`, problem])).values()];
}

function descendantsFaults({ iri: subject, parameters, filters }: CallModel): OntologyProblem[] {
  const parameter = parameters.find(({ name }) => name === DESCENDANTS);
  if (!parameter) return [];
  const codes = filters.filter(({ valueType }) => valueType === 'code');
  const other = codes.find((filter) => !takesDescendants(filter));
  if (codes.length > 0 && !other) return [];
  const says = other
    ? `takes descendants, but the value of ${other.name} is not the object of one triple`
    : 'takes descendants and has no filter by code';
  return [problem(parameterDescendants, { subject, says, near: parameter.iri })];
}

/** Returns syntax problems of a pattern, even of one that is only read. */
export function patternFaults(pattern: Bindable): string[] {
  const fault = patternFault(pattern);
  if (fault !== undefined) return [fault];
  const read = readOnce(selectWith(pattern));
  return 'reason' in read ? [`is no SPARQL: ${read.reason}`] : [];
}

/** A misspelt term would match nothing. Terms of search parameters are checked by the ontology's rules. */
function undeclaredTerms(pattern: Bindable, ontology: Ontology): OntologyProblem[] {
  if ('paths' in pattern && pattern.operator !== undefined) return [];
  const named = tokenize(pattern.pattern).flatMap(({ kind, text }) =>
    kind === 'name' ? (expandName(text) ?? []) : kind === 'iri' ? text.slice(1, -1) : [],
  );
  return [...new Set(named)]
    .filter((iri) => isVocabularyTerm(iri, ontology) && !/[{}]/.test(iri) && !ontology.terms.has(iri))
    .map((iri) =>
      problem(undeclaredTerm, {
        subject: pattern.iri,
        says: `compares ${shortName(iri)}, which is not declared`,
        near: api.filterSparql,
      }),
    );
}

/** Properties that the list's members cannot have; patterns that are only read are checked by the ontology's rules. */
function foreignProperties(pattern: Bindable, call: CallModel, ontology: Ontology): OntologyProblem[] {
  const read = isRead(pattern) ? undefined : readOnce(selectWith(pattern, call));
  if (!read || 'reason' in read) return [];
  return [...new Set(propertiesOf(read.where.patterns, readerOf(read), STATEMENT))].flatMap((property) => {
    const says = foreignProperty(ontology, call, property);
    const at = { subject: pattern.iri, near: api.filterSparql };
    return says === undefined ? [] : [problem(comparedProperty, { ...at, says: `compares ${says}` })];
  });
}

function isIdle(pattern: Bindable): boolean {
  const hasValue = tokenize(pattern.pattern).some(({ value }) => value === pattern.name);
  const read = isRead(pattern) || !hasValue ? undefined : readOnce(selectWith(pattern));
  return read !== undefined && !('reason' in read) && !asksFor(read.where.patterns, isExample);
}

const isRead = ({ operator, valueType }: Bindable): boolean => operator !== undefined || valueType === 'date';

function graphsBeyond(pattern: Bindable, call: CallModel, policy: Policy | undefined): string[] {
  if (pattern.operator !== undefined || !policy) return [];
  const read = readOnce(selectWith(pattern, call));
  const faults = 'reason' in read ? [] : guardFaults(read, policy);
  return [...new Set(faults.map(({ graph }) => (graph === '' ? 'of no name' : graph.replace(/^f0_/, '?'))))];
}

const known = new Map<string, QueryTree | SyntaxFault>();

function readOnce(sparql: string): QueryTree | SyntaxFault {
  const read = known.get(sparql) ?? treeOrFault(sparql, 'select');
  known.set(sparql, read);
  return read;
}

function selectWith(pattern: Bindable, call?: CallModel): string {
  const { operator: _, ...plain } = pattern;
  const text = bindFilter(plain as Bindable, STATEMENT, [literal(EXAMPLE)], 0);
  const is = !call || isAboutRecord(call) ? `<${sp.belongsTo}> ?record` : `a <${call.target}>`;
  return `SELECT * WHERE { GRAPH ?${STATEMENT} { ?${STATEMENT} ${is} } ${text}\n}`;
}

function patternProblem(rule: Rule, subject: string, says: string): OntologyProblem {
  return problem(rule, { subject, says, near: api.filterSparql });
}
