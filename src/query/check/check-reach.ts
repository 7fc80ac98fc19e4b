import type { CallModel, Ontology } from '../../ontology/model.js';
import { constrained, firstNames } from './constraints.js';
import { guardFaults } from './guards.js';
import type { GuardFault } from './guards.js';
import type { QueryTree } from './patterns.js';
import { isAboutRecord, policyOf } from './policy.js';
import { QueryFileError } from '../query-file-error.js';
import { lineAt, tokenize } from '../tokenizer.js';
import type { Token } from '../tokenizer.js';

/**
 * What a query reaches: only graphs that it guards, decided by every parameter of its path, the record or the item
 * first. A query that says too little of the record breaks all three; then only the first is told.
 * @param parameters names of the parameters that the query uses
 */
export function reachFaults(
  file: string,
  sparql: string,
  tree: QueryTree,
  parameters: readonly string[],
  call: CallModel,
  ontology: Ontology,
): QueryFileError[] {
  const place = new Places(sparql);
  const { own, owners, isTarget } = policyOf(call, ontology);
  // To SPARQL ?record is the variable $record: where it is not bound to the request it is any record.
  const isBound = (name: string): boolean => parameters.includes(name);
  const policy = { own: own.filter(isBound), owners: owners.filter(isBound), isTarget };
  const guards = new Map(guardFaults(tree, policy).map((fault) => [`${fault.kind} ${fault.graph}`, fault]));
  if (guards.size > 0) return [...guards.values()].map((fault) => guardError(file, place, call, fault));
  const deciding = constrained(tree);
  const idle = parameters
    .filter((name) => !deciding.has(name))
    .map((name) => ({ name, says: `$${name} decides nothing: it stands in no pattern that must match` }));
  const unasked = call.pathParameters
    .filter((name) => !decides(name, deciding))
    .map((name) => ({
      name,
      says: `{${name}} of the path decides nothing: neither $resource nor $${name} is used`,
    }));
  const idlers = idle.length > 0 ? idle : unasked;
  if (idlers.length > 0)
    return idlers.map(
      ({ name, says }) =>
        new QueryFileError('query-unconstrained', file, place.of(name) ?? place.ofPattern(), says),
    );
  const bound = firstNames(tree) ?? [];
  if (call.pathParameters.length === 0 || bound.some((name) => parameters.includes(name))) return [];
  const what = isAboutRecord(call) ? 'the record or the item' : 'the item';
  return [
    new QueryFileError(
      'query-first',
      file,
      place.ofGraph(bound[0]) ?? place.of(bound[0]),
      `the first pattern does not bind ${what}`,
    ),
  ];
}

/** The IRI of the request holds every parameter of the path, that of the record its id. */
function decides(name: string, deciding: ReadonlySet<string>): boolean {
  return deciding.has(name) || deciding.has('resource') || (name === 'record_id' && deciding.has('record'));
}

function guardError(
  file: string,
  place: Places,
  call: CallModel,
  { kind, graph }: GuardFault,
): QueryFileError {
  if (kind === 'no-graph') {
    return new QueryFileError(
      'query-graph',
      file,
      place.ofPattern(),
      'a pattern stands outside of every GRAPH',
    );
  }
  const line = kind === 'elsewhere' ? place.ofWord(graph) : place.ofGraph(graph);
  const owner = isAboutRecord(call) ? 'does not belong to $record' : 'is nothing that the call is about';
  const says =
    kind === 'elsewhere'
      ? `it reads ${graph}, which nothing ties to the request`
      : `a graph ?${graph} may be read that ${owner}`;
  return new QueryFileError('query-unguarded', file, line, says);
}

/** Lines of a query: the parser says none. */
class Places {
  readonly #sparql: string;
  readonly #tokens: readonly Token[];

  constructor(sparql: string) {
    this.#sparql = sparql;
    this.#tokens = tokenize(sparql).filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  }

  /** Where a variable or parameter first stands in the pattern, else in the text. */
  of(name: string | undefined): number | undefined {
    const where = this.#tokens.findIndex(({ text }) => text.toUpperCase() === 'WHERE');
    const is = ({ kind, value }: Token): boolean =>
      (kind === 'variable' || kind === 'parameter') && value === name;
    return this.#line(this.#tokens.slice(Math.max(where, 0)).find(is) ?? this.#tokens.find(is));
  }

  /** Where a graph of this name is first read. */
  ofGraph(name: string | undefined): number | undefined {
    const found = this.#tokens.find(
      ({ value }, index) => value === name && this.#tokens[index - 1]?.text.toUpperCase() === 'GRAPH',
    );
    return this.#line(found);
  }

  ofWord(word: string): number | undefined {
    return this.#line(this.#tokens.find(({ text }) => text.toUpperCase() === word.toUpperCase()));
  }

  /** Where the pattern of the query begins. */
  ofPattern(): number | undefined {
    return this.ofWord('WHERE');
  }

  #line(token: Token | undefined): number | undefined {
    return token && lineAt(this.#sparql, token.at);
  }
}
