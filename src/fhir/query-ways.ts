import { nodesIn, parseWithPlaces, rangeOf, type PlacedTree, type QueryTree } from '../query/syntax.js';
import { lineAt } from '../query/tokenizer.js';
import { rdf } from '../rdf/vocabulary.js';
import { elementAlong, type ElementsRead } from './elements-read.js';
import { edgesOf } from './pattern-edges.js';
import type { ReadElement } from './read-element.js';

/** One thing that a query asks for, or makes of what it has found. */
export interface Step {
  /** SPARQL, as it stands in the query. */
  readonly text: string;
  readonly line: number;
  /**
   * When it is asked whether a resource passes: in the order of the query, but subqueries after everything else and each
   * FILTER after these; undefined for what keeps nothing out, an OPTIONAL or a BIND.
   */
  readonly rank: 0 | 1 | 2 | undefined;
  /** The variables in it, but for that of the resource, and its blank nodes. */
  readonly variables: ReadonlySet<string>;
  /** The elements of FHIR that it reads, or that its variables stand for: `Condition.code`. */
  readonly elements: readonly string[];
}

/** One way in which a resource can give a statement: a choice of alternatives. */
export interface Way {
  /** What it says of the type of the resource. Who is of another one does not go this way. */
  readonly types: string;
  /** In the order of the query. */
  readonly steps: readonly Step[];
}

/** The ways in which a resource can give a statement. */
export interface QueryWays {
  /** The declarations of prefixes. */
  readonly prologue: string;
  readonly ways: readonly Way[];
}

/** Of more alternatives than that, those that come last are one step together. */
const MOST_WAYS = 16;

interface Part {
  readonly type: string;
  readonly subType?: string;
  readonly value?: string;
  readonly prefix?: string;
  readonly label?: string;
  readonly loc: PlacedTree['tree']['loc'];
  readonly patterns?: readonly Part[];
  readonly triples?: readonly Part[];
  readonly items?: readonly Part[];
  readonly subject?: Part;
  readonly predicate?: Part;
  readonly object?: Part;
}

/** A query while it is taken apart. */
interface Source {
  readonly text: string;
  readonly subject: string;
  readonly patient: string;
  /** The elements that a part of it is about. */
  readonly elementsOf: (part: Part) => string[];
}

type Draft = { readonly types: readonly string[]; readonly steps: readonly Step[] };

/**
 * Takes the pattern of a CONSTRUCT query apart.
 * @param sparql a query that was read before
 * @param subject the variable of the resource
 * @param patient that of its patient; alternatives that do not bind it make no statement by themselves
 * @param nodes the elements that its variables stand for, as far as they are known
 * @throws Error for what is no CONSTRUCT query
 */
export function waysOf(
  sparql: string,
  subject: string,
  patient: string,
  nodes: ElementsRead['nodes'] = new Map(),
): QueryWays {
  const { tree, text } = parseWithPlaces(sparql);
  if (tree.type !== 'query' || tree.subType !== 'construct') throw new Error('This is no CONSTRUCT query.');
  const elementsOf = (part: Part): string[] => elementsIn(tree, part, nodes);
  const source = { text, subject, patient, elementsOf };
  const prologue = tree.context.map((each) => textOf(each as unknown as Part, source)).join('\n');
  const where = tree.where as unknown as Part;
  const last = tree.values ? [stepOf(tree.values as unknown as Part, source)] : [];
  const drafts = binds(where, source) ? waysThrough(where, source) : [];
  const ways = drafts.map(({ types, steps }) => ({ types: types.join(' '), steps: [...steps, ...last] }));
  return { prologue, ways };
}

function waysThrough(group: Part, source: Source): Draft[] {
  const { patterns = [] } = group;
  let drafts: readonly Draft[] = [{ types: [], steps: [] }];
  for (const part of patterns) {
    // Where the patient stands in no other part, only an alternative that has it leads to a statement.
    const isBound = patterns.some((other) => other !== part && binds(other, source));
    const choices = choicesOf(part, source, isBound);
    const next = drafts.flatMap((draft) =>
      choices.map(({ types, steps }) => ({
        types: [...draft.types, ...types],
        steps: [...draft.steps, ...steps],
      })),
    );
    const whole = stepOf(part, source);
    drafts =
      next.length <= MOST_WAYS
        ? next
        : drafts.map(({ types, steps }) => ({ types, steps: [...steps, whole] }));
  }
  return [...drafts];
}

/** What one part of a group can be: the steps of each alternative. */
function choicesOf(part: Part, source: Source, isBound: boolean): Draft[] {
  if (part.subType === 'bgp') return [triplesOf(part, source)];
  if (part.subType !== 'union') return [{ types: [], steps: [stepOf(part, source)] }];
  const branches = part.patterns ?? [];
  const leading = isBound ? branches : branches.filter((branch) => binds(branch, source));
  return leading.flatMap((branch) => waysThrough(branch, source));
}

/** Whether the patient stands in a triple pattern of a part, as far as that is no OPTIONAL. */
function binds(part: unknown, source: Source): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { type, subType, subject, object } = part as Part;
  if (subType === 'optional' || subType === 'filter' || subType === 'minus') return false;
  if (type === 'triple' && [subject, object].some((node) => isVariable(node, source.patient))) return true;
  return Object.values(part).some((each) => binds(each, source));
}

function isVariable(node: Part | undefined, name: string): boolean {
  return node?.subType === 'variable' && node.value === name;
}

/** A step for each triple pattern; what `;` and `,` leave out is written out. */
function triplesOf(part: Part, source: Source): Draft {
  const triples = part.triples ?? [];
  // What stands in brackets at the place of a subject is one node, however often it is one.
  const isApart = triples.every(({ type, subject }) => type === 'triple' && subject?.type === 'term');
  if (!isApart) return { types: [], steps: [stepOf(part, source)] };
  const types: string[] = [];
  const steps: Step[] = [];
  for (const triple of triples) {
    const { subject, predicate, object } = triple;
    const written = [subject, predicate, object].map((each) => (each ? termText(each, source) : ''));
    const text = `${written.join(' ')} .`;
    // The type is what resources were chosen by.
    if (isVariable(subject, source.subject) && isType(predicate) && object?.subType === 'namedNode') {
      types.push(text);
      continue;
    }
    const line = lineAt(source.text, rangeOf(triple)?.start ?? 0);
    const variables = variablesIn(triple, source);
    steps.push({ text, line, rank: 0, variables, elements: source.elementsOf(triple) });
  }
  return { types, steps };
}

const isType = (predicate: Part | undefined): boolean =>
  predicate?.value === rdf.type || (predicate?.prefix === 'rdf' && predicate.value === 'type');

/** A term or path as it was read; one that the text leaves out as it stands before it. */
function termText(part: Part, source: Source): string {
  if (part.type === 'path') return pathText(part, source);
  const { subType, value = '', prefix, label = '' } = part;
  const text = textOf(part, source);
  if (text !== '') return text;
  if (subType === 'variable') return `?${value}`;
  if (subType === 'blankNode') return `_:${label}`;
  return prefix === undefined ? `<${value}>` : `${prefix}:${value}`;
}

/** The parser does not say where the parentheses of a path stand. */
function pathText({ subType = '', items = [] }: Part, source: Source): string {
  if (subType === '!') {
    const none = items.flatMap((item) => (item.subType === '|' ? (item.items ?? []) : [item]));
    return `!(${none.map((each) => termText(each, source)).join('|')})`;
  }
  const inner = items.map((item) =>
    item.type === 'path' ? `(${termText(item, source)})` : termText(item, source),
  );
  if (subType === '/' || subType === '|') return inner.join(subType);
  return subType === '^' ? `^${inner.join('')}` : `${inner.join('')}${subType}`;
}

function stepOf(part: Part, source: Source): Step {
  return {
    text: textOf(part, source),
    line: lineAt(source.text, rangeOf(part)?.start ?? 0),
    rank: rankOf(part),
    variables: variablesIn(part, source),
    elements: source.elementsOf(part),
  };
}

/** The elements that patterns of a part lead to; where they lead to none, those that its variables stand for. */
function elementsIn(tree: QueryTree, part: Part, nodes: ElementsRead['nodes']): string[] {
  const elementsAt = (name = ''): ReadElement[] => [...(nodes.get(name) ?? [])];
  // A resource itself is no element.
  const paths = (elements: readonly (ReadElement | undefined)[]): string[] => [
    ...new Set(elements.flatMap((element) => (element?.path.includes('.') ? [element.path] : []))),
  ];
  const led = paths(
    edgesOf(tree, part).flatMap(({ subject, path = [] }) =>
      elementsAt(subject).map((element) => elementAlong(element, path)),
    ),
  );
  if (led.length > 0) return led;
  const named = (nodesIn(part) as Part[]).filter(({ subType }) => subType === 'variable');
  return paths(named.flatMap(({ value }) => elementsAt(value)));
}

function rankOf({ subType, patterns = [] }: Part): Step['rank'] {
  if (subType === 'optional' || subType === 'bind') return undefined;
  if (subType === 'filter') return 2;
  return subType === 'group' && patterns.some(({ type }) => type === 'query') ? 1 : 0;
}

function variablesIn(part: Part, source: Source): Set<string> {
  const names = (nodesIn(part) as Part[]).flatMap(({ subType, value = '', label = '' }) => {
    if (subType === 'blankNode') return [`_:${label}`];
    return subType === 'variable' && value !== source.subject ? [value] : [];
  });
  return new Set(names);
}

/** What a part was read from; empty for what was left out. */
function textOf(part: Part, { text }: Source): string {
  const range = rangeOf(part);
  return range ? text.slice(range.start, range.end) : '';
}
