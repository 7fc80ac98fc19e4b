import { parseWithPlaces, rangeOf, type PlacedTree } from '../query/syntax.js';
import { lineAt } from '../query/tokenizer.js';
import { rdf } from '../rdf/vocabulary.js';

/** One thing that a query asks for, or makes of what it has found. */
export interface Step {
  /** SPARQL, as it stands in the query. */
  readonly text: string;
  readonly line: number;
  /** Whether nothing goes on where it is not there: a triple pattern, a FILTER; not an OPTIONAL, not a BIND. */
  readonly isAsked: boolean;
}

/** The ways in which a resource can give a statement. */
export interface QueryWays {
  /** The declarations of prefixes. */
  readonly prologue: string;
  /** One for each choice of alternatives: what is asked for, in the order of the query, each FILTER at the end of its group. */
  readonly ways: readonly (readonly Step[])[];
}

/** Of more alternatives than that, those that come last are one step together. */
const MOST_WAYS = 8;

interface Part {
  readonly type: string;
  readonly subType?: string;
  readonly value?: string;
  readonly loc: PlacedTree['tree']['loc'];
  readonly patterns?: readonly Part[];
  readonly triples?: readonly Part[];
  readonly subject?: Part;
  readonly predicate?: Part;
  readonly object?: Part;
}

/**
 * Takes the pattern of a CONSTRUCT query apart.
 * @param sparql a query that was read before
 * @param subject the variable of the resource
 * @param patient that of its patient; alternatives that do not bind it make no statement by themselves
 * @throws Error for what is no CONSTRUCT query
 */
export function waysOf(sparql: string, subject: string, patient: string): QueryWays {
  const { tree, text } = parseWithPlaces(sparql);
  if (tree.type !== 'query' || tree.subType !== 'construct') throw new Error('This is no CONSTRUCT query.');
  const prologue = tree.context.map((each) => textOf(each as unknown as Part, text)).join('\n');
  const all = waysThrough(tree.where as unknown as Part, text, subject);
  const binds = new RegExp(`[?$]${patient}(?![\\p{L}\\p{N}_])`, 'u');
  return { prologue, ways: all.filter((way) => way.some((step) => binds.test(step.text))) };
}

function waysThrough({ patterns = [] }: Part, text: string, subject: string): Step[][] {
  let ways: Step[][] = [[]];
  const filters: Step[] = [];
  for (const part of patterns) {
    if (part.subType === 'filter') {
      filters.push(stepOf(part, text));
      continue;
    }
    const choices = choicesOf(part, text, subject);
    const next = ways.flatMap((way) => choices.map((choice) => [...way, ...choice]));
    ways = next.length <= MOST_WAYS ? next : ways.map((way) => [...way, stepOf(part, text)]);
  }
  return ways.map((way) => [...way, ...filters]);
}

/** What one part of a group can be: the steps of each alternative. */
function choicesOf(part: Part, text: string, subject: string): Step[][] {
  if (part.subType === 'bgp') return [tripleSteps(part.triples ?? [], text, subject)];
  if (part.subType === 'union')
    return (part.patterns ?? []).flatMap((branch) => waysThrough(branch, text, subject));
  return [[stepOf(part, text)]];
}

/** A step for each triple pattern; what `;` and `,` leave out is written out. */
function tripleSteps(triples: readonly Part[], text: string, subject: string): Step[] {
  let [before, property] = ['', ''];
  return triples.map(({ subject: node, predicate, object, loc }) => {
    before = (node && textOf(node, text)) || before;
    property = (predicate && textOf(predicate, text)) || property;
    const at = rangeOf({ loc })?.start ?? 0;
    // The type is what resources were chosen by.
    const isType = node?.value === subject && predicate?.value === rdf.type;
    return {
      text: `${before} ${property} ${object ? textOf(object, text) : ''} .`,
      line: lineAt(text, at),
      isAsked: !isType,
    };
  });
}

function stepOf(part: Part, text: string): Step {
  // A subquery calculates with what all resources say.
  const isSubquery = part.subType === 'group' && part.patterns?.some(({ type }) => type === 'query');
  const isAsked = !(part.subType === 'optional' || part.subType === 'bind' || isSubquery);
  return { text: textOf(part, text), line: lineAt(text, rangeOf(part)?.start ?? 0), isAsked };
}

/** What a part was read from; empty for what was left out. */
function textOf(part: Part, text: string): string {
  const range = rangeOf(part);
  return range ? text.slice(range.start, range.end) : '';
}
