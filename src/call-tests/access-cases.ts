import { answerTypes, factsOf, graphTypes } from '../ontology/answer-forms.js';
import type { CallModel } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { UNKNOWN } from './list-cases.js';
import type { CallTest } from './suite.js';
import { caseOf, withQuery, type SuiteSource } from './suite-source.js';

/**
 * The tests that every call has: who may not make it, what it takes and in which forms it answers.
 * @param answered the tests of the same call that are answered; the first of them is asked in other ways
 */
export function commonCases(source: SuiteSource, call: CallModel, answered: readonly CallTest[]): CallTest[] {
  const [first] = source.records;
  const path = answered.find(({ expect, as }) => expect.kind !== 'refusal' && as === first)?.target;
  const target = path ?? exampleTarget(source, call);
  const isRead = call.method === 'GET' && path !== undefined;
  const plain = target.replace(/\?.*$/, '');
  const { graphs, tagged } = factsOf(call);
  const types = answerTypes(call).filter((type) => graphTypes.includes(type));
  const denied = refusals(source, call, plain);
  // Whoever may not make it is not told what it takes.
  if (call.scope === 'app') return denied;
  return [
    ...denied,
    caseOf(call, 'refuses a parameter that it does not know', withQuery(plain, { [UNKNOWN]: '1' }), first, {
      kind: 'refusal',
      status: 400,
    }),
    ...(isRead && graphs
      ? [caseOf(call, 'gives one graph in every media type', target, first, { kind: 'same graph', types })]
      : []),
    ...(isRead && tagged ? [caseOf(call, 'answers a condition', target, first, { kind: 'unchanged' })] : []),
    ...(isRead && tagged ? choices(call, plain, first) : []),
    ...(isRead
      ? [caseOf(call, 'answers HEAD without content', target, first, { kind: 'without content' })]
      : []),
    ...(isRead
      ? [caseOf(call, 'has no method of its own making', plain, first, refused(405), { method: 'PATCH' })]
      : []),
  ];
}

/** What a call says that it takes, it takes; `descendants` is nothing without a code, and tested with one. */
function choices(call: CallModel, plain: string, signer: string): CallTest[] {
  return call.parameters
    .filter(({ name, valueType }) => valueType === 'choice' && name !== 'descendants')
    .flatMap(({ name, choices: values }) =>
      values.map((value) =>
        caseOf(call, `takes ${name}=${value}`, withQuery(plain, { [name]: value }), signer, {
          kind: 'unchanged',
        }),
      ),
    );
}

const refused = (status: number) => ({ kind: 'refusal', status }) as const;

/** A path that only the access rules and the parameters are asked about. */
export function exampleTarget(
  { records, user, app }: SuiteSource,
  call: CallModel,
  record: string = records[0],
): string {
  const template = PathTemplate.of(call.path);
  const known: Readonly<Record<string, string>> = { record_id: record, user_id: user, smart_app_id: app };
  const values = Object.fromEntries(
    template.parameters.map((name) => [name, known[name] ?? 'no-such-thing']),
  );
  return template.fill(values) + template.slash;
}

function refusals({ records, user }: SuiteSource, call: CallModel, target: string): CallTest[] {
  const unsigned = caseOf(call, 'refuses who does not sign', target, undefined, refused(401));
  if (call.scope === 'container') return [];
  // A token is for a record, and exports are for an app alone.
  if (call.scope === 'app')
    return [unsigned, caseOf(call, 'refuses a token', target, records[0], refused(403))];
  if (call.scope === 'user') {
    const other = target.replace(`/users/${user}/`, `/users/not-${user}/`);
    return [unsigned, caseOf(call, 'refuses the token of another user', other, records[0], refused(403))];
  }
  const swapped = target.replace(`/records/${records[0]}`, `/records/${records[1]}`);
  return [
    unsigned,
    caseOf(call, 'refuses the token of another record', target, records[1], refused(403)),
    caseOf(call, 'refuses another record', swapped, records[0], refused(403)),
  ];
}
