import { sp } from '../rdf/vocabulary.js';
import { isSolid, isWord, type Token } from './tokenizer.js';

/**
 * What a query asks for, where it has the form that most have: the graphs of statements of some classes that belong to
 * `$record`, whole, and those of what they link to, as far as these belong to it, too. What has such a form need not be
 * run to be answered. However it is spaced; of any other form nothing is said.
 */
export interface StatementShape {
  /** The classes of one of which the statement that `$resource` names has to be. */
  readonly classes: readonly string[];
  /** The properties by which it leads to others that go with it. */
  readonly neighbours: readonly string[];
}

/** What the query of a list says, each undefined where it says more, or something else. */
export interface ListShape {
  /** The classes of its members, where its pattern says nothing but that they belong to `$record`. */
  readonly listed: readonly string[] | undefined;
  /** The class of its members, where its pattern says nothing else of them but that they name their graphs. */
  readonly searched: string | undefined;
  /** The properties by which members lead to others that go with them; with none, the members alone are asked for. */
  readonly neighbours: readonly string[] | undefined;
}

/** Where the parts of a list's sub-select stand among the tokens. */
interface Span {
  readonly open: number;
  readonly brace: number;
  readonly filters: number;
  readonly whereEnd: number;
  readonly end: number;
  readonly variable: string;
}

/** The form of a list. */
export function listShape(tokens: readonly Token[], span: Span): ListShape {
  const { open, brace, filters, whereEnd, end, variable } = span;
  const before = tokens.slice(brace + 1, filters);
  const after = tokens.slice(filters + 1, whereEnd);
  const around = `${queryText(tokens, 0, open)} ${queryText(tokens, end + 1)}`;
  return {
    listed: after.some(isSolid) ? undefined : listedClasses(textsOf(tokens, before), variable),
    searched: searchedClass(textsOf(tokens, [...before, ...after]), variable),
    neighbours: wholeGraphs(around, `?${variable}`),
  };
}

/** Whether a query asks for all that the graph of `$resource` says, and for nothing else. */
export function asksForGraph(tokens: readonly Token[]): boolean {
  return wholeGraphs(queryText(tokens, 0), '$resource')?.length === 0;
}

/** The form of a query that is no list. */
export function statementShape(tokens: readonly Token[]): StatementShape | undefined {
  const text = queryText(tokens, 0);
  const start = `GRAPH $resource { $resource <${sp.belongsTo}> $record ; a `;
  const at = text.indexOf(start);
  if (at < 0) return undefined;
  const [, classes, rest = ''] = CLASSES.exec(text.slice(at + start.length)) ?? [];
  const found = classes === undefined ? undefined : classesOf(classes, '$resource');
  const [variable = ''] = classes?.split(' ', 1) ?? [];
  // Of the variable of a filter more would say something else.
  if (!found || rest.split(' ').includes(variable)) return undefined;
  // What is left is the form of a list around its members.
  const isInSame = /^\?\w+ \?\w+ \?\w+(?: \.)? \} \}$/.test(rest);
  const pattern = isInSame ? `GRAPH $resource { ${rest}` : `GRAPH $resource { $resource ${rest}`;
  const neighbours = wholeGraphs(text.slice(0, at) + pattern, '$resource');
  return neighbours && { classes: found, neighbours };
}

/** What a class is said by, and what follows: a property of the same subject, or the next pattern. */
const CLASSES = /^(<[^<>]*>|\?\w+ \. FILTER \( \?\w+ IN \( [^()]* \) \))(?: [;.])? (.*)$/su;
const IRI = /^<([A-Za-z][A-Za-z0-9+.-]*:[^<> \\]*)>$/u;

/**
 * The properties of a query that constructs all that the graphs of some statements say, and those of what they link to,
 * if those belong to the record.
 * @param text its words, without what chooses the statements
 * @param statement the variable, or parameter, that names them
 */
function wholeGraphs(text: string, statement: string): readonly string[] | undefined {
  const [, s = '', p = '', o = '', rest = ''] =
    /^CONSTRUCT \{ \?(\w+) \?(\w+) \?(\w+)(?: \.)? \}(?: WHERE)? \{ (.*) \}$/su.exec(text) ?? [];
  const all = `?${s} ?${p} ?${o}`;
  const own = [s, p, o, statement.slice(1)];
  if (rest === `GRAPH ${statement} { ${all} }` || rest === `GRAPH ${statement} { ${all} . }`)
    return isDistinct(own) ? [] : undefined;
  const start = `GRAPH ${statement} { ${statement} `;
  if (!rest.startsWith(start)) return undefined;
  const [, path = '', part = '', linked] =
    /^(.*) \? \?(\w+)(?: \.)? \} GRAPH (.*)$/su.exec(rest.slice(start.length)) ?? [];
  const graph = `?${part} { ?${part} <${sp.belongsTo}> $record . ${all}`;
  if ((linked !== `${graph} }` && linked !== `${graph} . }`) || !isDistinct([...own, part])) return undefined;
  const steps = path.startsWith('( ') && path.endsWith(' )') ? path.slice(2, -2).split(' | ') : [path];
  return irisOf(steps);
}

const isDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** IRIs as they are written; undefined where one of them is none, or relative. */
function irisOf(texts: readonly string[]): readonly string[] | undefined {
  const iris = texts.flatMap((text) => IRI.exec(text)?.[1] ?? []);
  return iris.length === texts.length ? iris : undefined;
}

/** The words and signs of a query from CONSTRUCT on. */
function queryText(tokens: readonly Token[], from: number, to = tokens.length): string {
  const construct = tokens.findIndex((token) => isWord(token, 'CONSTRUCT'));
  return textsOf(tokens, tokens.slice(Math.max(from, construct), to)).join(' ');
}

/** The words and signs of a part of a query, prefixed names as IRIs. */
function textsOf(tokens: readonly Token[], part: readonly Token[]): string[] {
  return part
    .filter(isSolid)
    .map((token) => (token.kind === 'name' ? iriOf(tokens, token.text) : token.text));
}

/**
 * The classes of a pattern `GRAPH ?s { ?s sp:belongsTo $record ; a C }`, or of one that ends in `a ?class . FILTER (?class
 * IN (C, D)) }`; undefined for any other.
 */
function listedClasses(texts: readonly string[], variable: string): readonly string[] | undefined {
  const s = `?${variable}`;
  const start = `GRAPH ${s} { ${s} <${sp.belongsTo}> $record ; a `;
  const text = texts.join(' ');
  if (!text.startsWith(start) || !text.endsWith(' }')) return undefined;
  return classesOf(text.slice(start.length, -2).replace(/(>) \.$/, '$1'), s);
}

/** The classes that a text after `a` names: one, or several in a filter. @param subject of what it is said */
function classesOf(text: string, subject: string): readonly string[] | undefined {
  if (text.startsWith('<')) return irisOf([text]);
  const pattern = /^\?(\w+) \. FILTER \( \?(\w+) IN \( (<[^()]*>) \) \)$/u;
  const [, named, filtered, several = ''] = pattern.exec(text) ?? [];
  // Of the variable of the members the filter would say something else.
  const isOfClass = named !== undefined && named === filtered && named !== subject.slice(1);
  return isOfClass ? irisOf(several.split(' , ')) : undefined;
}

/** The class C of a pattern `GRAPH ?s { ?s a C }`, however it is spaced; undefined for any other. */
function searchedClass(texts: readonly string[], variable: string): string | undefined {
  const s = `?${variable}`;
  const start = ['GRAPH', s, '{', s, 'a'];
  if (start.some((text, at) => text !== texts[at])) return undefined;
  const [, iri = ''] = /^(<[^<>]*>)(?: \.)? \}$/.exec(texts.slice(start.length).join(' ')) ?? [];
  return irisOf([iri])?.[0];
}

/**
 * A prefixed name as IRI, by what the file itself declares; as it is where that says nothing of the prefix, or says it
 * twice (the last one counts), or goes by a base.
 */
function iriOf(tokens: readonly Token[], name: string): string {
  const colon = name.indexOf(':') + 1;
  const prologue = tokens.filter(isSolid);
  const namespaces = prologue.flatMap(({ text }, at) =>
    text === name.slice(0, colon) && isWord(prologue[at - 1], 'PREFIX') ? [prologue[at + 1]?.text ?? ''] : [],
  );
  const [namespace = ''] = namespaces;
  return namespaces.length === 1 && IRI.test(namespace)
    ? `${namespace.slice(0, -1)}${name.slice(colon)}>`
    : name;
}
