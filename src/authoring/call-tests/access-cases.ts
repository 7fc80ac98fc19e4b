import { answerTypes, factsOf, graphTypes } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import type { CallTest } from './suite.js';
import { caseOf, refused, withQuery, type SuiteSource } from './suite-source.js';

/** A parameter that no call can have. */
const UNKNOWN = 'no_such_parameter';

/** Makes the tests of every call: access, parameters, formats. @param answered successful tests, to vary the first */
export function commonCases(source: SuiteSource, call: CallModel, answered: readonly CallTest[]): CallTest[] {
  const [first] = source.records;
  const path = answered.find(({ expect, as }) => expect.kind !== 'refusal' && as === first)?.target;
  const target = path ?? exampleTarget(source, call);
  const isRead = call.method === 'GET' && path !== undefined;
  const plain = target.replace(/\?.*$/, '');
  const { graphs, tagged } = factsOf(call);
  const types = answerTypes(call).filter((type) => graphTypes.includes(type));
  const denied = refusals(source, call, plain);
  // Callers without access are not told about parameters.
  if (call.scope === 'app') return denied;
  const unknown = withQuery(plain, { [UNKNOWN]: '1' });
  return [
    ...denied,
    caseOf(call, 'refuses a parameter that it does not know', unknown, first, refused(400)),
    ...(isRead && graphs
      ? [caseOf(call, 'gives one graph in every media type', target, first, { kind: 'same graph', types })]
      : []),
    ...(isRead && tagged
      ? [
          caseOf(call, 'answers a condition', target, first, { kind: 'unchanged' }),
          ...choices(call, plain, first),
        ]
      : []),
    ...(isRead
      ? [
          caseOf(call, 'answers HEAD without content', target, first, { kind: 'without content' }),
          caseOf(call, 'has no method of its own making', plain, first, refused(405), { method: 'PATCH' }),
        ]
      : []),
  ];
}

/** Tests every choice of a parameter. `descendants` needs a code, and is tested with one. */
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

/** Returns a path for testing access rules and parameters only. */
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
  const unsigned = caseOf(call, 'refuses unsigned requests', target, undefined, refused(401));
  if (call.scope === 'container') return [];
  // A token is for a record; exports are for an app without a token.
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
