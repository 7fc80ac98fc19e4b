import { isWritableIri } from '../../rdf/ntriples.js';
import type { FilterModel, ParameterModel } from '../ontology/model.js';
import { expandName } from '../ontology/term-names.js';
import { Problem } from '../problem.js';
import { namedNode, type Term } from '../../rdf/terms.js';
import { datePattern } from './index/date-index.js';
import { beginsPattern, equalsPattern } from './index/name-index.js';
import { writeSparqlTerm } from './sparql-term.js';
import { isSolid, tokenize, type Token } from './tokenizer.js';
import { skos } from '../../rdf/vocabulary.js';

export type Bindable = FilterModel | (ParameterModel & { pattern: string });

export function hasPattern(argument: FilterModel | ParameterModel): argument is Bindable {
  return argument.pattern !== undefined;
}

/**
 * Binds the values of a filter into its pattern for a list's `#:filters`; several are alternatives. `?v` becomes the
 * list's variable, other variables get names of this `index`, prefixed names become IRIs, and `{name}`, `$name` or
 * `<base{name}>` the value (for a code: base + value).
 * @param values literals as sent, or IRIs
 * @param hierarchy the IRI of the graph with skos:broader; then a code includes all below it (`takesDescendants`)
 * @throws Problem invalid-parameter for a value that is no date or makes no IRI
 */
export function bindFilter(
  filter: Bindable,
  statement: string,
  values: readonly Term[],
  index: number,
  hierarchy?: string,
): string {
  const scope = `f${index}_`;
  if (values.length === 0) throw new RangeError(`${filter.name} is bound without a value`);
  if ('properties' in filter && filter.operator !== undefined) {
    const given = values.map((value) => value.value);
    const pattern = datePattern(filter.operator, filter.properties, given, statement, scope);
    if (pattern === undefined) throw invalid(filter.name, 'is not an ISO 8601 date');
    return pattern;
  }
  if ('paths' in filter && filter.operator !== undefined) {
    const pattern = searchPatterns[filter.operator];
    const texts = values.map(({ value }) => pattern(filter.paths, value, statement, scope));
    return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `{ ${text} }`).join(' UNION ');
  }
  const tokens = tokenize(filter.pattern);
  const holes = tokens.filter((token) => isHole(token, filter.name));
  const terms = values.map((value) => termTexts(filter, value));
  const text =
    holes.length === 0 || (terms.length === 1 && hierarchy === undefined)
      ? render(tokens, filter.name, statement, scope, terms[0] ?? (() => ''))
      : renderSeveral(tokens, filter.name, statement, scope, terms, hierarchy);
  const hasGraph = tokens.some(({ kind, text }) => kind === 'word' && text.toUpperCase() === 'GRAPH');
  return hasGraph ? text : `GRAPH ?${statement} { ${text} }`;
}

/** The parameter that makes codes include all codes below them. */
export const DESCENDANTS = 'descendants';

/**
 * Whether a filter's codes can include those below them: the value is a code, the object of one triple of the
 * pattern.
 */
export function takesDescendants(filter: Pick<FilterModel, 'name' | 'pattern' | 'valueType'>): boolean {
  const tokens = tokenize(filter.pattern);
  const [at, ...others] = tokens.flatMap((token, index) => (isHole(token, filter.name) ? [index] : []));
  return (
    filter.valueType === 'code' &&
    at !== undefined &&
    others.length === 0 &&
    tokens[lastSolid(tokens, at) ?? at]?.text !== '=' &&
    parenthesesAt(tokens, at) === 0
  );
}

const searchPatterns = { begins: beginsPattern, equals: equalsPattern } as const;

export function patternFault(filter: Bindable): string | undefined {
  for (const { kind, text, value } of tokenize(filter.pattern)) {
    if ((kind === 'placeholder' || kind === 'parameter') && value !== filter.name && value !== 'v') {
      return `uses ${text}, but its parameter is ${filter.name}`;
    }
    if (kind === 'name' && expandName(text) === undefined) {
      return `uses ${text}, whose prefix is not one of the container: write its IRI in angle brackets`;
    }
  }
  if ('codeBase' in filter && filter.codeBase !== undefined) {
    if (!isWritableIri(filter.codeBase))
      return `has the cg:codeBase ${filter.codeBase}, which no IRI begins with`;
    if (filter.valueType !== 'code')
      return `has a cg:codeBase, but the value type ${filter.valueType}: only a code stands behind one`;
    // The code would run into the last word of its base.
    if (/\w$/.test(filter.codeBase))
      return `has the cg:codeBase ${filter.codeBase}, which has no # or / at its end`;
  }
  // Patterns of dates and operators are read, not run; another rule checks names. Inside quotes, a placeholder is text.
  const isRead = filter.operator !== undefined || filter.valueType === 'date' || !/^\w+$/.test(filter.name);
  return isRead || tokenize(filter.pattern).some((token) => isHole(token, filter.name))
    ? undefined
    : `has no place for its value: write {${filter.name}} where a term stands, outside of quotes`;
}

type TermText = (base: string | undefined) => string;

function termTexts(filter: Bindable, value: Term): TermText {
  return (base) => {
    const codeBase = base ?? ('codeBase' in filter ? filter.codeBase : undefined);
    const term =
      codeBase !== undefined && value.termType === 'Literal' ? namedNode(codeBase + value.value) : value;
    try {
      return writeSparqlTerm(term);
    } catch {
      throw invalid(filter.name, 'holds a character that it cannot hold');
    }
  };
}

function render(
  tokens: readonly Token[],
  name: string,
  statement: string,
  scope: string,
  termText: TermText,
): string {
  return tokens
    .map((token) => {
      if (isHole(token, name)) return termText(baseOf(token));
      if (token.kind === 'variable' || token.kind === 'parameter') {
        return token.value === 'v' ? `?${statement}` : `?${scope}${token.value}`;
      }
      if (token.kind === 'name') return `<${expandName(token.text.replace(/\\(.)/g, '$1')) ?? token.text}>`;
      return token.kind === 'comment' ? '' : token.text;
    })
    .join('');
}

/**
 * Avoids UNION, which engines evaluate for every record: a value in a triple becomes a variable with a FILTER, `?x =
 * value` becomes `?x IN (…)`. Only elsewhere a union remains.
 */
function renderSeveral(
  tokens: readonly Token[],
  name: string,
  statement: string,
  scope: string,
  terms: readonly TermText[],
  hierarchy: string | undefined,
): string {
  const at = tokens.findIndex((token) => isHole(token, name));
  const hole = tokens[at];
  const holes = tokens.filter((token) => isHole(token, name)).length;
  const list = (): string => `(${terms.map((text) => text(hole && baseOf(hole))).join(', ')})`;
  const draw = (some: readonly Token[]): string => render(some, name, statement, scope, () => '');
  if (hole && holes === 1) {
    const before = lastSolid(tokens, at);
    if (before !== undefined && tokens[before]?.text === '=') {
      return `${draw(tokens.slice(0, before))}IN ${list()}${draw(tokens.slice(at + 1))}`;
    }
    const depth = parenthesesAt(tokens, at);
    if (depth === 0) {
      const end = groupEnd(tokens, at);
      const value = `?${scope}value`;
      const kept = [`${value} IN ${list()}`, ...below(value, list(), scope, hierarchy)].join(' || ');
      const inside = `${value}${draw(tokens.slice(at + 1, end))} FILTER (${kept}) `;
      return draw(tokens.slice(0, at)) + inside + draw(tokens.slice(end));
    }
  }
  return terms.map((text) => `{ ${render(tokens, name, statement, scope, text)} }`).join(' UNION ');
}

/** Codes below others. The path goes up from a found code, so that its cost does not grow with the hierarchy. */
function below(value: string, list: string, scope: string, hierarchy: string | undefined): string[] {
  if (hierarchy === undefined) return [];
  const above = `?${scope}above`;
  const graph = writeSparqlTerm(namedNode(hierarchy));
  const path = writeSparqlTerm(namedNode(skos.broader));
  return [`EXISTS { GRAPH ${graph} { ${value} ${path}+ ${above} FILTER (${above} IN ${list}) } }`];
}

function isHole({ kind, value }: Token, name: string): boolean {
  return (kind === 'placeholder' || kind === 'parameter') && value === name;
}

function baseOf({ text }: Token): string | undefined {
  return text.startsWith('<') ? text.slice(1, text.indexOf('{')) : undefined;
}

function lastSolid(tokens: readonly Token[], before: number): number | undefined {
  const found = tokens.slice(0, before).findLastIndex(isSolid);
  return found < 0 ? undefined : found;
}

function parenthesesAt(tokens: readonly Token[], at: number): number {
  const signs = tokens.slice(0, at).filter(({ kind }) => kind === 'sign');
  return signs.reduce((depth, { text }) => depth + (text === '(' ? 1 : text === ')' ? -1 : 0), 0);
}

function groupEnd(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]?.kind !== 'sign') continue;
    if (tokens[i]?.text === '{') depth++;
    else if (tokens[i]?.text === '}' && depth-- === 0) return i;
  }
  return tokens.length;
}

/** A bad parameter value. @param says completes “The value of …” */
export function invalid(name: string, says: string): Problem {
  return new Problem('invalid-parameter', `The value of ${name} ${says}.`, { extra: { parameter: name } });
}
