import { isVocabularyTerm } from '../ontology/check-terms.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/names.js';
import { literal, namedNode } from '../rdf/terms.js';
import type { Term } from '../rdf/terms.js';
import { prefixes } from '../rdf/vocabulary.js';
import { bindFilter, patternFault } from './bind-filter.js';
import type { Bindable } from './bind-filter.js';
import { listOrder } from './list-order.js';
import { QueryFileError } from './query-file-error.js';
import { syntaxFault } from './syntax.js';
import { QueryTemplate } from './template.js';
import { lineAt, tokenize } from './tokens.js';

/** A query file that has been read, with all that is wrong with it. */
export interface CheckedQuery {
  template?: QueryTemplate;
  problems: QueryFileError[];
}

/**
 * Checks the query of a call: SPARQL syntax, parameters that the call has, terms that the ontology declares, and that
 * what binding makes of it, with every filter and page, is still SPARQL.
 */
export function checkQuery(file: string, sparql: string, call: CallModel, ontology: Ontology): CheckedQuery {
  const fault = syntaxFault(sparql, 'construct');
  if (fault) return { problems: [new QueryFileError(file, fault.line, fault.reason)] };
  const problems = [
    ...parameterFaults(file, sparql, allowedParameters(call), call),
    ...termFaults(file, sparql, ontology),
  ];
  try {
    const template = new QueryTemplate(call.name, file, sparql);
    problems.push(...(problems.length > 0 ? [] : boundFaults(template, call, ontology)));
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
      return [new QueryFileError(file, lineAt(sparql, at), `${call.name} has no parameter $${value}`)];
    }
    // To SPARQL $x and ?x are one variable: bound in one place only, the query would change its meaning.
    return kind === 'variable' && used.has(value)
      ? [new QueryFileError(file, lineAt(sparql, at), `?${value} is also used as the parameter $${value}`)]
      : [];
  });
}

function termFaults(file: string, sparql: string, ontology: Ontology): QueryFileError[] {
  const tokens = tokenize(sparql).filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  const known = new Map<string, string>();
  const faults: QueryFileError[] = [];
  for (const [index, { kind, text, at }] of tokens.entries()) {
    const before = tokens[index - 1];
    if (kind === 'iri' && tokens[index - 2]?.text.toUpperCase() === 'PREFIX')
      known.set(before?.text ?? '', text.slice(1, -1));
    else if (before?.text.toUpperCase() !== 'BASE' && before?.text.toUpperCase() !== 'PREFIX') {
      const iri = kind === 'iri' ? text.slice(1, -1) : kind === 'name' ? expand(text, known) : undefined;
      if (iri === undefined || !isVocabularyTerm(iri) || ontology.terms.has(iri) || isIndexTerm(iri))
        continue;
      faults.push(
        new QueryFileError(file, lineAt(sparql, at), `${shortName(iri)} is not declared in the ontology`),
      );
    }
  }
  return faults;
}

function expand(name: string, known: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':') + 1;
  const namespace = known.get(name.slice(0, colon));
  return namespace === undefined ? undefined : namespace + name.slice(colon).replace(/\\(.)/g, '$1');
}

/** Index terms are made from properties and live in the replica alone. */
function isIndexTerm(iri: string): boolean {
  return iri.startsWith(prefixes.cg) && iri.slice(prefixes.cg.length).includes('/');
}

function boundFaults(template: QueryTemplate, call: CallModel, ontology: Ontology): QueryFileError[] {
  const { file } = template;
  const iris = new Set(['resource', 'record']);
  const example = (name: string): Term => (iris.has(name) ? namedNode('urn:example') : literal('example'));
  const values = Object.fromEntries(template.parameters.map((name) => [name, example(name)]));
  const patterns = [...call.parameters, ...call.filters].filter(hasPattern);
  if (template.variable === undefined) {
    const lists = patterns.length > 0 || call.sortProperties.length > 0;
    if (lists)
      return [
        new QueryFileError(file, undefined, 'a list with filters or an order needs #:filters and #:page'),
      ];
    return faultOf(file, template.bind(values), 'construct');
  }
  const faults = patterns.flatMap((pattern) => {
    const says = patternFault(pattern);
    return says === undefined
      ? []
      : [new QueryFileError(file, undefined, `the pattern of ${shortName(pattern.iri)} ${says}`)];
  });
  if (faults.length > 0) return faults;
  const { variable } = template;
  const filters = patterns.map((pattern, index) => {
    const value = literal(pattern.valueType === 'date' ? '2000' : 'example');
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

function hasPattern(
  candidate: CallModel['filters'][number] | CallModel['parameters'][number],
): candidate is Bindable {
  return candidate.pattern !== undefined;
}

function faultOf(file: string, sparql: string, form: 'construct' | 'select'): QueryFileError[] {
  const fault = syntaxFault(sparql, form);
  return fault ? [new QueryFileError(file, undefined, `bound, it is no longer SPARQL: ${fault.reason}`)] : [];
}
