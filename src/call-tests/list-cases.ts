import { answerTypes } from '../ontology/answer-forms.js';
import type { CallModel } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { withNeighbours } from './expected-answers.js';
import {
  keptByCodes,
  narrowings,
  probesOf,
  tellingProbes,
  type Narrowing,
  type Probe,
} from './naive-filter.js';
import { queryOf } from './single-cases.js';
import type { CallTest, ListAnswer } from './suite.js';
import { caseOf, withQuery, type SuiteSource } from './suite-source.js';

/** A list of one record, or of the whole container. */
interface Asked {
  readonly call: CallModel;
  readonly signer: string;
  readonly path: string;
  /** IRIs, in order. */
  readonly members: readonly string[];
}

/** A parameter that no call can have. */
export const UNKNOWN = 'no_such_parameter';

/** The tests of a call that answers with a list of graphs. */
export function listCases(source: SuiteSource, call: CallModel): CallTest[] {
  const lists = listsOf(source, call);
  const longest = [...lists].sort((a, b) => b.members.length - a.members.length);
  const [first] = longest;
  if (!first) return [];
  if (first.members.length === 0) source.note(`${call.name}: the seed has no member of the list.`);
  const isByName = ({ members }: Asked): boolean => members.join() === [...members].sort().join();
  if (isOrdered(call) && first.members.length > 0 && lists.every(isByName)) {
    source.note(`${call.name}: no list of the seed tells its order from that of the IRIs.`);
  }
  const has = (name: string): boolean => call.parameters.some((each) => each.name === name);
  return [
    ...lists.map((list) =>
      caseOf(call, `lists what the data holds at ${list.path}`, list.path, list.signer, whole(source, list)),
    ),
    ...narrowings(call).flatMap((narrowing) => [
      ...narrowed(source, first, narrowing),
      ...tellingDates(source, longest, narrowing),
    ]),
    ...(has('descendants') ? withDescendants(source, first) : []),
    ...(has('limit') ? walks(source, first, has('offset')) : []),
    ...(has('limit') ? invalid(first, 'limit', '0') : []),
    ...(has('offset') ? invalid(first, 'offset', '-1') : []),
  ];
}

const isOrdered = ({ sortProperties, sortNames }: CallModel): boolean =>
  sortProperties.length + sortNames.length > 0;

function listsOf(source: SuiteSource, call: CallModel): Asked[] {
  const { data } = source;
  if (call.scope !== 'record') {
    const members = data.ordered(call, data.instances(call));
    return [{ call, signer: source.records[0], path: call.path, members }];
  }
  return source.records.map((record) => ({
    call,
    signer: record,
    path: PathTemplate.of(call.path).fill({ record_id: record }) + PathTemplate.of(call.path).slash,
    members: data.ordered(call, data.instances(call, record)),
  }));
}

function whole(source: SuiteSource, { call, members }: Pick<Asked, 'call' | 'members'>): ListAnswer {
  const { data, use } = source;
  const shown = withNeighbours(call, queryOf(source, call), members, data);
  return {
    kind: 'list',
    type: answerTypes(call)[0] ?? '',
    order: members.map((name) => data.pathOf(name)),
    resources: shown.map(use),
    summary: call.scope !== 'container',
    ...(call.answer === 'document' ? { open: true as const } : {}),
  };
}

function narrowed(source: SuiteSource, list: Asked, narrowing: Narrowing): CallTest[] {
  const { call, members } = list;
  const probes = probesOf(narrowing, members, source.data);
  if (!probes) source.note(`${call.name}: ${narrowing.name} has a pattern that no naive filter reads.`);
  else if (probes.length === 0) source.note(`${call.name}: no value of the data passes ${narrowing.name}.`);
  const kept = (probes ?? []).map((probe) => keptCase(source, list, narrowing, probe));
  const several = narrowing.valueType === 'code' ? alternatives(source, list, narrowing) : [];
  const isFree = narrowing.valueType === 'text' || narrowing.valueType === 'name';
  return [...kept, ...several, ...(isFree ? [] : invalid(list, narrowing.name, '(no such value)'))];
}

/** Dates by which a filter is told from one that compares other dates of the statements. */
function tellingDates(source: SuiteSource, lists: readonly Asked[], narrowing: Narrowing): CallTest[] {
  const probes = tellingProbes(
    narrowing,
    lists.map(({ members }) => members),
    source.data,
  );
  return probes.flatMap(({ list, ...probe }) => {
    const asked = lists[list];
    return asked ? [keptCase(source, asked, narrowing, probe)] : [];
  });
}

function keptCase(
  source: SuiteSource,
  { call, path, signer }: Asked,
  { name }: Narrowing,
  { value, kept }: Probe,
): CallTest {
  const says = `keeps for ${name}=${value} what a naive filter keeps`;
  const target = withQuery(path, { [name]: value });
  return caseOf(call, says, target, signer, whole(source, { call, members: kept }));
}

/** Two codes at once, and one that nothing has. */
function alternatives(source: SuiteSource, list: Asked, narrowing: Narrowing): CallTest[] {
  const { call, signer, path, members } = list;
  const codes = (probesOf(narrowing, members, source.data) ?? []).slice(0, 2).map(({ value }) => value);
  return [codes, ['no-such-code']]
    .filter((some) => some.length > 0)
    .map((some) =>
      caseOf(
        call,
        `keeps for ${narrowing.name}=${some.join('|')} what has one of the codes`,
        withQuery(path, { [narrowing.name]: some.join('|') }),
        signer,
        whole(source, { call, members: keptByCodes(narrowing, some, members, source.data) }),
      ),
    );
}

/** A code that others are below, by the hierarchy of the ontology. */
function withDescendants(source: SuiteSource, list: Asked): CallTest[] {
  const { call, signer, path, members } = list;
  const { codes } = source.ontology;
  return call.filters.flatMap((filter) => {
    const base = filter.codeBase;
    if (filter.valueType !== 'code' || base === undefined) return [];
    const below = (iri: string, seen = new Set([iri])): Set<string> => {
      for (const code of codes.values()) {
        if (code.broader.includes(iri) && !seen.has(code.iri)) below(code.iri, seen.add(code.iri));
      }
      return seen;
    };
    const parents = [...new Set([...codes.values()].flatMap(({ broader }) => broader))].sort();
    const asked = parents
      .filter((iri) => iri.startsWith(base))
      .map((iri) => {
        const all = [...below(iri)].filter((code) => code.startsWith(base));
        const ids = all.map((code) => code.slice(base.length));
        return { id: iri.slice(base.length), kept: keptByCodes(filter, ids, members, source.data) };
      })
      .filter(({ id, kept }) => kept.length > keptByCodes(filter, [id], members, source.data).length);
    // Where no code of the list has others below it, the parameter changes nothing, but it is taken.
    const [plain] = probesOf(filter, members, source.data) ?? [];
    const without = plain ? [{ id: plain.value, kept: plain.kept }] : [];
    const best = (asked.length > 0 ? asked : without)
      .slice(0, 2)
      .map(({ id, kept }) =>
        caseOf(
          call,
          `keeps for ${filter.name}=${id} with descendants all below the code`,
          withQuery(path, { [filter.name]: id, descendants: 'true' }),
          signer,
          whole(source, { call, members: kept }),
        ),
      );
    const alone = asked
      .slice(0, 1)
      .map(({ id }) =>
        caseOf(
          call,
          `keeps for ${filter.name}=${id} without descendants the code alone`,
          withQuery(path, { [filter.name]: id, descendants: 'false' }),
          signer,
          whole(source, { call, members: keptByCodes(filter, [id], members, source.data) }),
        ),
      );
    return [...best, ...alone, ...invalid(list, 'descendants', 'true')];
  });
}

function walks(
  { data }: SuiteSource,
  { call, signer, path, members }: Asked,
  hasOffset: boolean,
): CallTest[] {
  if (members.length === 0) return [];
  const order = members.map((name) => data.pathOf(name));
  const limits = call.scope === 'container' ? [1] : [1, Math.max(2, Math.ceil(members.length / 3))];
  const walk = (says: string, query: { limit: number; offset?: number }): CallTest => {
    const { limit, offset = 0 } = query;
    const target = withQuery(
      path,
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    );
    return caseOf(call, says, target, signer, {
      kind: 'walk',
      limit,
      order: order.slice(offset),
      target: call.target,
    });
  };
  return [
    ...limits.map((limit) => walk(`gives each member once, in order, on pages of ${limit}`, { limit })),
    ...(hasOffset ? [walk('leaves out as many as offset says', { limit: 1, offset: 1 })] : []),
  ];
}

function invalid({ call, signer, path }: Asked, name: string, value: string): CallTest[] {
  const target = withQuery(path, { [name]: value });
  return [caseOf(call, `refuses ${name}=${value}`, target, signer, { kind: 'refusal', status: 400 })];
}
