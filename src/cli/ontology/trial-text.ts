import { shortName } from '../../model/ontology/term-names.js';
import { writeTerm } from '../../rdf/ntriples.js';
import type { Quad, Term } from '../../rdf/terms.js';
import type { AnswerDifference, CallTrial } from '../../authoring/trial/trial.js';
import { type Colour, type Paint, count, visible } from '../output.js';
import { isObject } from '../../rdf/json-object.js';
import { cg } from '../../rdf/vocabulary.js';

const ANSWERS = 2;
const TRIPLES = 5;

const MEMBERS = 10;
const VALUE = 200;

const colours: Record<CallTrial['status'], Colour> = {
  same: 'dim',
  different: 'yellow',
  added: 'green',
  removed: 'red',
  failed: 'red',
};

/** Formats the result of every call for people: one line each, then the first differing triples. */
export function trialText(
  { over, trials, limit }: { over: string; trials: readonly CallTrial[]; limit: number },
  paint: Paint,
): string {
  const width = Math.max(0, ...trials.map(({ call }) => call.length));
  const lines = trials.flatMap((trial) => {
    const status = paint(colours[trial.status], trial.status.padEnd('different'.length));
    const head = `${visible(trial.call).padEnd(width)}  ${status}  ${summary(trial)}`;
    return [head, ...trial.differences.slice(0, ANSWERS).flatMap((each) => detail(each, paint))];
  });
  const cut = trials.some(({ asked, of }) => asked < of)
    ? ` No call was asked more than ${count(limit, 'time')}; --limit says how often.`
    : '';
  return `Over ${visible(over)}:\n\n${lines.join('\n')}\n\n${closing(trials)}${cut}\n`;
}

function summary({ status, asked, of, triples, differences, error }: CallTrial): string {
  if (error !== undefined) return visible(error.split('\n')[0] ?? '');
  const requests = asked < of ? `${asked} of ${count(of, 'answer')}` : count(asked, 'answer');
  if (status !== 'different') return `${requests}, ${count(triples, 'triple')}`;
  const sum = (side: 'added' | 'removed'): number =>
    differences.reduce((total, difference) => total + difference[side].length, 0);
  const reordered = differences.filter((difference) => difference.reordered).length;
  const order = reordered > 0 ? `, ${reordered} in another order` : '';
  return `${differences.length} of ${requests}: ${count(sum('added'), 'triple')} more, ${sum('removed')} fewer${order}`;
}

function detail({ resource, reordered, ...difference }: AnswerDifference, paint: Paint): string[] {
  const { documents, added, removed } = splitDocuments(difference.removed, difference.added);
  const signed = [
    ...removed.slice(0, TRIPLES).map((quad) => paint('red', `    - ${tripleText(quad)}`)),
    ...added.slice(0, TRIPLES).map((quad) => paint('green', `    + ${tripleText(quad)}`)),
  ];
  const left = added.length + removed.length - signed.length;
  return [
    `  ${visible(resource)}${reordered ? ' (another order)' : ''}`,
    ...documents.flatMap(({ members }) => memberLines(members, paint)),
    ...signed,
    ...(left > 0 ? [`    and ${count(left, 'triple')} more`] : []),
  ];
}

function memberLines(members: readonly MemberDifference[], paint: Paint): string[] {
  const lines = members
    .slice(0, MEMBERS)
    .flatMap(({ pointer, from, to }) => [
      ...(from === undefined ? [] : [paint('red', `    - ${memberText(pointer, from)}`)]),
      ...(to === undefined ? [] : [paint('green', `    + ${memberText(pointer, to)}`)]),
    ]);
  const left = members.length - MEMBERS;
  return [
    ...(members.length === 0 ? ['    the same JSON, written in another way'] : lines),
    ...(left > 0 ? [`    and ${count(left, 'member')} more`] : []),
  ];
}

function memberText(pointer: string, value: string): string {
  const text = value.length > VALUE ? `${value.slice(0, VALUE)}…` : value;
  return visible(`${pointer === '' ? 'the document' : pointer}: ${text}`);
}

function closing(trials: readonly CallTrial[]): string {
  const of = (status: CallTrial['status']): number =>
    trials.filter((trial) => trial.status === status).length;
  const parts = (['same', 'different', 'added', 'removed', 'failed'] as const).map(
    (status) => `${of(status)} ${status}`,
  );
  return `${count(trials.length, 'call')}: ${parts.join(', ')}.`;
}

/** Formats a triple with prefixed names if possible, else as N-Triples. */
export function tripleText({ subject, predicate, object }: Quad): string {
  return visible([subject, predicate, object].map(termText).join(' '));
}

function termText(term: Term): string {
  const short = term.termType === 'NamedNode' ? shortName(term.value) : undefined;
  return short === undefined || short === term.value ? writeTerm(term) : short;
}

/** A differing member of a JSON document: its pointer (RFC 6901), and its values as JSON, if present. */
interface MemberDifference {
  readonly pointer: string;
  readonly from?: string;
  readonly to?: string;
}

interface Documents {
  readonly old: Quad;
  readonly now: Quad;
  readonly members: readonly MemberDifference[];
}

/** Separates JSON documents with changed members from all other triples. */
export function splitDocuments(
  removed: readonly Quad[],
  added: readonly Quad[],
): { documents: readonly Documents[]; removed: readonly Quad[]; added: readonly Quad[] } {
  const documents = removed.filter(isDocument).flatMap((old): Documents[] => {
    const now = added.find((quad) => isDocument(quad) && quad.subject.equals(old.subject));
    const members = now && membersOf(old.object.value, now.object.value);
    return now && members ? [{ old, now, members }] : [];
  });
  const told = new Set(documents.flatMap(({ old, now }) => [old, now]));
  const isLeft = (quad: Quad): boolean => !told.has(quad);
  return { documents, removed: removed.filter(isLeft), added: added.filter(isLeft) };
}

const isDocument = ({ predicate }: Quad): boolean => predicate.value === cg.json;

function membersOf(old: string, now: string): MemberDifference[] | undefined {
  try {
    return compare(JSON.parse(old), JSON.parse(now), '');
  } catch {
    return undefined;
  }
}

/** Compares objects recursively; arrays are compared as a whole, since their order matters. */
function compare(old: unknown, now: unknown, pointer: string): MemberDifference[] {
  if (isObject(old) && isObject(now)) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      compare(old[name], now[name], `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  const [from, to] = [old, now].map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  if (from === to) return [];
  return [{ pointer, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}
