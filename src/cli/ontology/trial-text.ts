import { shortName } from '../../ontology/term-names.js';
import { writeTerm } from '../../rdf/ntriples.js';
import type { Quad, Term } from '../../rdf/terms.js';
import type { CallCost, QueryCost } from '../../records/trial/cost.js';
import type { AnswerDifference, CallTrial } from '../../records/trial/trial.js';
import type { Colour, Paint } from '../colour.js';
import { count, visible } from '../output.js';
import { splitDocuments, type MemberDifference } from './json-difference.js';

/** How many answers of a call are shown, and how many triples of each. */
const ANSWERS = 2;
const TRIPLES = 5;

/** How many members of a JSON document are shown, and how many characters of a value. */
const MEMBERS = 10;
const VALUE = 200;

const colours: Record<CallTrial['status'], Colour> = {
  same: 'dim',
  different: 'yellow',
  added: 'green',
  removed: 'red',
  failed: 'red',
};

/** What became of every call, for people: one line each, under it the first triples that differ. */
export function trialText(
  { over, trials, limit }: { over: string; trials: readonly CallTrial[]; limit: number },
  paint: Paint,
): string {
  const width = Math.max(0, ...trials.map(({ call }) => call.length));
  const lines = trials.flatMap((trial) => {
    const status = paint(colours[trial.status], trial.status.padEnd('different'.length));
    const head = `${visible(trial.call).padEnd(width)}  ${status}  ${summary(trial)}`;
    const cost = trial.cost ? [costLine(trial.cost, paint)] : [];
    return [head, ...cost, ...trial.differences.slice(0, ANSWERS).flatMap((each) => detail(each, paint))];
  });
  const cut = trials.some(({ asked, of }) => asked < of)
    ? ` No call was asked more than ${count(limit, 'time')}; --limit says how often.`
    : '';
  return `Over ${visible(over)}:\n\n${lines.join('\n')}\n\n${closing(trials)}${cut}\n`;
}

/** What a query takes, before and now; a warning where it takes longer by more than its times differ. */
function costLine({ old, now, slower }: CallCost, paint: Paint): string {
  const both = [old, now].flatMap((cost) => (cost ? [costText(cost)] : []));
  const text = `  ${[...new Set(both)].join(' → ')}`;
  return slower ? `${text}  ${paint('yellow', 'slower by more than its times differ')}` : paint('dim', text);
}

function costText({ patterns, least, most }: QueryCost): string {
  return `${count(patterns, 'pattern')} in ${least.toFixed(1)}–${most.toFixed(1)} ms`;
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

/** The members of a JSON document that differ, what was before what is. */
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

/** A triple in short: prefixed names where there are any, else N-Triples. */
export function tripleText({ subject, predicate, object }: Quad): string {
  return visible([subject, predicate, object].map(termText).join(' '));
}

function termText(term: Term): string {
  const short = term.termType === 'NamedNode' ? shortName(term.value) : undefined;
  return short === undefined || short === term.value ? writeTerm(term) : short;
}
