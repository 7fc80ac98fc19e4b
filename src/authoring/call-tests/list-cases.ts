import { answerTypes } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { withNeighbours, caseOf, refused, withQuery, type SuiteSource } from './suite-source.js';
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

interface Asked {
  readonly call: CallModel;
  readonly signer: string;
  readonly path: string;
  readonly members: readonly string[];
}

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

/** Tests dates that distinguish a filter from one on other dates of the statements. */
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
  what = 'what a naive filter keeps',
  more: Readonly<Record<string, string>> = {},
): CallTest {
  const target = withQuery(path, { [name]: value, ...more });
  const answer = whole(source, { call, members: kept });
  return caseOf(call, `keeps for ${name}=${value} ${what}`, target, signer, answer);
}

function alternatives(source: SuiteSource, list: Asked, narrowing: Narrowing): CallTest[] {
  const { members } = list;
  const codes = (probesOf(narrowing, members, source.data) ?? []).slice(0, 2).map(({ value }) => value);
  return [codes, ['no-such-code']]
    .filter((some) => some.length > 0)
    .map((some) => {
      const probe = { value: some.join('|'), kept: keptByCodes(narrowing, some, members, source.data) };
      return keptCase(source, list, narrowing, probe, 'what has one of the codes');
    });
}

/** Tests a code that has narrower ones in the ontology's hierarchy. */
function withDescendants(source: SuiteSource, list: Asked): CallTest[] {
  const { call, members } = list;
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
    const alone = (value: string): Probe => ({
      value,
      kept: keptByCodes(filter, [value], members, source.data),
    });
    const parents = [...new Set([...codes.values()].flatMap(({ broader }) => broader))].sort();
    const asked = parents
      .filter((iri) => iri.startsWith(base))
      .map((iri) => {
        const all = [...below(iri)].filter((code) => code.startsWith(base));
        const ids = all.map((code) => code.slice(base.length));
        return { value: iri.slice(base.length), kept: keptByCodes(filter, ids, members, source.data) };
      })
      .filter(({ value, kept }) => kept.length > alone(value).kept.length);
    // Without narrower codes in the list, the parameter has no effect, but must be accepted.
    const best = asked.length > 0 ? asked : (probesOf(filter, members, source.data) ?? []).slice(0, 1);
    const kept = (probe: Probe, what: string, descendants: string): CallTest =>
      keptCase(source, list, filter, probe, what, { descendants });
    return [
      ...best.slice(0, 2).map((probe) => kept(probe, 'with descendants all below the code', 'true')),
      ...asked
        .slice(0, 1)
        .map(({ value }) => kept(alone(value), 'without descendants the code alone', 'false')),
      ...invalid(list, 'descendants', 'true'),
    ];
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
  const walk = (says: string, limit: number, offset = 0): CallTest => {
    const query = { limit: String(limit), ...(offset > 0 && { offset: String(offset) }) };
    const expected = { kind: 'walk', limit, order: order.slice(offset), target: call.target } as const;
    return caseOf(call, says, withQuery(path, query), signer, expected);
  };
  return [
    ...limits.map((limit) => walk(`gives each member once, in order, on pages of ${limit}`, limit)),
    ...(hasOffset ? [walk('leaves out as many as offset says', 1, 1)] : []),
  ];
}

function invalid({ call, signer, path }: Asked, name: string, value: string): CallTest[] {
  const target = withQuery(path, { [name]: value });
  return [caseOf(call, `refuses ${name}=${value}`, target, signer, refused(400))];
}
