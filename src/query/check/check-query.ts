import { isVocabularyTerm } from '../../ontology/check/check-terms.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { literal, namedNode } from '../../rdf/terms.js';
import type { Term } from '../../rdf/terms.js';
import { prefixes } from '../../rdf/vocabulary.js';
import { bindFilter } from '../bind-filter.js';
import type { Bindable } from '../bind-filter.js';
import { hasPattern, patternFaults } from './check-patterns.js';
import { reachFaults } from './check-reach.js';
import { listOrder } from '../list-order.js';
import type { QueryTree } from './patterns.js';
import { QueryFileError } from '../query-file-error.js';
import { parseSparql, syntaxFault } from '../syntax.js';
import { QueryTemplate } from '../template.js';
import { termsOf } from './terms-of.js';
import { lineAt, tokenize } from '../tokenizer.js';

/** A query file that has been read, with all that is wrong with it. */
export interface CheckedQuery {
  template?: QueryTemplate;
  problems: QueryFileError[];
}

/**
 * Checks the query of a call: SPARQL syntax, parameters that the call has, terms that the ontology declares, graphs
 * that belong to the record, and that what binding makes of it, with every filter and page, is still SPARQL.
 */
export function checkQuery(file: string, sparql: string, call: CallModel, ontology: Ontology): CheckedQuery {
  const fault = syntaxFault(sparql, 'construct');
  if (fault) {
    const rule = fault.isForm ? 'query-form' : 'query-syntax';
    return { problems: [new QueryFileError(rule, file, fault.line, fault.reason)] };
  }
  const problems = [
    ...parameterFaults(file, sparql, allowedParameters(call), call),
    ...termFaults(file, sparql, ontology),
  ];
  try {
    const template = new QueryTemplate(call.name, file, sparql);
    if (problems.length === 0) {
      const tree = parseSparql(sparql) as QueryTree;
      const [fault] = boundFaults(template, call, ontology);
      problems.push(
        ...(fault ? [fault] : reachFaults(file, sparql, tree, template.parameters, call, ontology)),
      );
    }
    return { template, problems };
  } catch (error) {
    if (!(error instanceof QueryFileError)) throw error;
    return { problems: [...problems, error] };
  }
}

/** `$record` and `$resource` are IRIs, everything else has the name that the ontology declares. */
function allowedParameters(call: CallModel): Set<string> {
  const names = [...call.pathParameters, ...[...call.parameters, ...call.filters].map(({ name }) => name)];
  return new Set(['resource', ...(call.pathParameters.includes('record_id') ? ['record'] : []), ...names]);
}

function parameterFaults(
  file: string,
  sparql: string,
  allowed: ReadonlySet<string>,
  call: CallModel,
): QueryFileError[] {
  const tokens = tokenize(sparql);
  const used = new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value));
  return tokens.flatMap(({ kind, value, at }) => {
    if (kind === 'parameter' && !allowed.has(value)) {
      return [
        new QueryFileError(
          'query-parameter',
          file,
          lineAt(sparql, at),
          `${call.name} has no parameter $${value}`,
        ),
      ];
    }
    // To SPARQL $x and ?x are one variable: bound in one place only, the query would change its meaning.
    return kind === 'variable' && used.has(value)
      ? [
          new QueryFileError(
            'query-variable',
            file,
            lineAt(sparql, at),
            `?${value} is also used as the parameter $${value}`,
          ),
        ]
      : [];
  });
}

function termFaults(file: string, sparql: string, ontology: Ontology): QueryFileError[] {
  return termsOf(sparql)
    .filter(({ iri }) => isVocabularyTerm(iri) && !ontology.terms.has(iri) && !isIndexTerm(iri))
    .map(({ iri, at }) => {
      const says = `${shortName(iri)} is not declared in the ontology`;
      return new QueryFileError('query-term', file, lineAt(sparql, at), says);
    });
}

/** Index terms are made from properties and live in the working set alone. */
function isIndexTerm(iri: string): boolean {
  return iri.startsWith(prefixes.cg) && iri.slice(prefixes.cg.length).includes('/');
}

function boundFaults(template: QueryTemplate, call: CallModel, ontology: Ontology): QueryFileError[] {
  const { file } = template;
  const iris = new Set(['resource', 'record']);
  const example = (name: string): Term => (iris.has(name) ? namedNode('urn:example') : literal('example'));
  const values = Object.fromEntries(template.parameters.map((name) => [name, example(name)]));
  const patterns = [...call.parameters, ...call.filters].filter(hasPattern);
  // A pattern that cannot be read is told where it is described.
  const readable = patterns.filter((pattern) => patternFaults(pattern).length === 0 && isWhole(pattern));
  if (template.variable === undefined) {
    const lists = patterns.length > 0 || call.sortProperties.length > 0;
    if (lists)
      return [
        new QueryFileError(
          'query-list',
          file,
          undefined,
          'a list with filters or an order needs #:filters and #:page',
        ),
      ];
    return faultOf(file, template.bind(values), 'construct');
  }
  const { variable } = template;
  const filters = readable.map((pattern, index) => {
    // Operators of filters compare dates, also where the value type says by mistake something else.
    const isDate =
      pattern.valueType === 'date' || ('properties' in pattern && pattern.operator !== undefined);
    const value = literal(isDate ? '2000' : 'example');
    return bindFilter(pattern, variable, index % 2 ? [value] : [value, value], index);
  });
  const options = { filters, ...listOrder(ontology, call, variable), limit: 1, offset: 1 };
  return [
    ...faultOf(file, template.bind(values, options), 'construct'),
    ...faultOf(file, template.select(values, options), 'select'),
    ...faultOf(file, template.count(values, options), 'select'),
    ...faultOf(file, template.known(values, [namedNode('urn:example')]), 'construct'),
  ];
}

/** Whether a pattern that is read, not run, names what is compared. */
function isWhole(pattern: Bindable): boolean {
  const ways = 'properties' in pattern ? pattern.properties : pattern.paths;
  return pattern.operator === undefined || ways.length > 0;
}

function faultOf(file: string, sparql: string, form: 'construct' | 'select'): QueryFileError[] {
  const fault = syntaxFault(sparql, form);
  const says = `bound, it is no longer SPARQL: ${fault?.reason}`;
  return fault ? [new QueryFileError('query-binding', file, undefined, says)] : [];
}
