import { answerTypes, defaultFormat } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { isSingleton } from '../../model/ontology/call-facts.js';
import type { QueryTemplate } from '../../model/query/template.js';
import { groupedBy } from '../../rdf/by-key.js';
import { formats } from '../../rdf/formats.js';
import { namedNode } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { contentKeyOf } from '../../records/documents/content-key.js';
import { describeGraph } from './describe-graph.js';
import { isCopying, withNeighbours, caseOf, refused, withQuery, type SuiteSource } from './suite-source.js';
import type { CallTest, GraphAnswer } from './suite.js';

interface Item {
  readonly signer: string;
  readonly name: string;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns the query of a call. @throws Error without one, which `validate` reports */
export function queryOf({ queries }: Pick<SuiteSource, 'queries'>, { name }: CallModel): QueryTemplate {
  const query = queries.get(name);
  if (!query) throw new Error(`${name} has no query; see chartgraph validate.`);
  return query;
}

export async function singleCases(source: SuiteSource, call: CallModel): Promise<CallTest[]> {
  if (call.target === sp.Ontology) return [ontologyCase(source, call)];
  const items = itemsOf(source, call);
  if (items.length === 0) source.note(`${call.name}: the seed has nothing to ask for.`);
  const query = queryOf(source, call);
  if (!isCopying(query) && items.length > 0) {
    source.note(
      `${call.name}: its query makes triples that no graph holds, so what it answers now is recorded as right; read it in calls.json once.`,
    );
  }
  const cases: CallTest[] = [];
  for (const item of items) cases.push(...(await itemCases(source, call, item)));
  return [...cases, ...missingCases(source, call, items)];
}

async function itemCases(source: SuiteSource, call: CallModel, item: Item): Promise<CallTest[]> {
  const { path, signer, name, values } = item;
  if (call.answer === 'document') return documentCases(source, call, item);
  const query = queryOf(source, call);
  const answer: GraphAnswer = isCopying(query)
    ? { ...graphOf(call), resources: shownWith(source, call, name) }
    : { ...graphOf(call), resources: [], described: await source.answered(call, values) };
  return [caseOf(call, `describes ${path}`, path, signer, answer)];
}

const graphOf = (call: CallModel): { kind: 'graph'; type: string } => ({
  kind: 'graph',
  type: answerTypes(call)[0] ?? '',
});

function shownWith(source: SuiteSource, call: CallModel, name: string): string[] {
  if (source.data.graph(name).length === 0) return [];
  return withNeighbours(call, queryOf(source, call), [name], source.data).map(source.use);
}

function documentCases(source: SuiteSource, call: CallModel, { path, signer, name }: Item): CallTest[] {
  const has = call.parameters.some((each) => each.name === 'format');
  const file = has ? contentKeyOf(source.data.graph(name), namedNode(name)) : undefined;
  const described = {
    ...graphOf({ ...call, contentType: call.contentType ?? formats.rdfxml.mediaType }),
    resources: shownWith(source, call, name),
    open: true as const,
  };
  const metadata = has ? withQuery(path, { format: 'metadata' }) : path;
  const raw = has && defaultFormat(call) === 'raw' ? path : withQuery(path, { format: 'raw' });
  const isDescribed = defaultFormat(call) === 'combined';
  return [
    ...(has || isDescribed ? [caseOf(call, `describes ${path}`, metadata, signer, described)] : []),
    ...(isDescribed && has
      ? [caseOf(call, `describes ${path} when not asked how`, path, signer, described)]
      : []),
    ...(file ? [caseOf(call, `sends the file of ${path}`, raw, signer, { kind: 'file', ...file })] : []),
    ...(has
      ? [caseOf(call, 'refuses an unknown format', withQuery(path, { format: 'x' }), signer, refused(400))]
      : []),
  ];
}

/** Chooses the largest and smallest statement of each type in each record: one of them has the optional parts. */
function itemsOf(source: SuiteSource, call: CallModel): Item[] {
  const { data, base, user, app } = source;
  const template = PathTemplate.of(call.path);
  const known: Readonly<Record<string, string>> = { user_id: user, descriptor: app };
  const item = (signer: string, name: string): Item[] => {
    const path = data.pathOf(name);
    const values = template.match(path);
    return values ? [{ signer, name, path, values }] : [];
  };
  if (call.scope === 'container') {
    const names = data.instances(call);
    const own =
      template.parameters.length === 0 ? [] : names.filter((name) => name.includes(`/${known['user_id']}`));
    return extremes(source, own.length > 0 ? [...own, ...names] : names).flatMap((name) =>
      item(source.records[0], name),
    );
  }
  return source.records.flatMap((record) => {
    const place = isSingleton(call) ? [base + template.fill({ record_id: record })] : [];
    const found = place.filter((name) => isCopying(queryOf(source, call)) || data.graph(name).length > 0);
    const names = place.length > 0 ? found : data.instances(call, record);
    const recordItself = template.text.endsWith('{record_id}')
      ? [base + template.fill({ record_id: record })]
      : names;
    return extremes(source, recordItself).flatMap((name) => item(record, name));
  });
}

function extremes({ data }: SuiteSource, names: readonly string[]): string[] {
  const byType = groupedBy(names, (name) => data.typesOf(name).join(' '));
  const chosen = [...byType.values()].flatMap((some) => {
    const bySize = [...some].sort((a, b) => data.graph(a).length - data.graph(b).length || (a < b ? -1 : 1));
    return [bySize[0] ?? '', bySize.at(-1) ?? ''];
  });
  return [...new Set(chosen)];
}

/** Tests that a missing resource is not found, unless every record has one. */
function missingCases({ records }: SuiteSource, call: CallModel, items: readonly Item[]): CallTest[] {
  const template = PathTemplate.of(call.path);
  const last = template.parameters.at(-1);
  const isRecordOnly = call.scope === 'record' && (last === 'record_id' || isSingleton(call));
  if (last === undefined || isRecordOnly) return [];
  const path = template.fill({ ...items[0]?.values, record_id: records[0], [last]: 'no-such-thing' });
  return [caseOf(call, 'finds nothing where nothing is', path, records[0], refused(404))];
}

/** Tests that the ontology is served as in its files, by the description of each call. */
function ontologyCase({ quads, ontology, base, records }: SuiteSource, call: CallModel): CallTest {
  const calls = new Set(ontology.calls.map(({ iri }) => iri));
  const own = quads.filter(({ subject }) => calls.has(subject.value));
  const expected = {
    ...graphOf(call),
    resources: [],
    described: describeGraph(own, base),
    open: true,
  } as const;
  return caseOf(call, 'describes every call', call.path, records[0], expected);
}
