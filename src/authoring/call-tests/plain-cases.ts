import { unnamed } from '../examples/example-answer.js';
import { answerTypes, factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { groupedBy } from '../../rdf/by-key.js';
import { formats } from '../../rdf/formats.js';
import { sp } from '../../rdf/vocabulary.js';
import { writeRdf } from '../../rdf/write.js';
import { exampleTarget } from './access-cases.js';
import { BASE, describeGraph } from './describe-graph.js';
import type { CallTest } from './suite.js';
import { caseOf, refused, type SuiteSource } from './suite-source.js';

const NOTHING = 'finds nothing where nothing is';

/** Makes the tests of a call that answers with JSON documents: manifests of apps or of the container. */
export function jsonCases({ content, ontology, records }: SuiteSource, call: CallModel): CallTest[] {
  const [record] = records;
  const showing = (says: string, target: string, members: unknown): CallTest =>
    caseOf(call, says, target, record, { kind: 'json', members });
  if (call.target !== sp.AppManifest) {
    const byTarget = [...groupedBy(ontology.calls, ({ target }) => target)].sort();
    const capabilities = Object.fromEntries(
      byTarget.map(([target, calls]) => {
        return [target, { methods: [...new Set(calls.map(({ method }) => method))].sort() }];
      }),
    );
    return [showing('says what can be done with each class', call.path, { api_base: BASE, capabilities })];
  }
  if (call.cardinality === 'multiple') return [showing('has every app of the seed', call.path, content.apps)];
  const template = PathTemplate.of(call.path);
  const [last = ''] = template.parameters;
  return [
    ...content.apps.map((app) => showing(`shows ${app.id}`, template.fill({ [last]: app.id }), app)),
    caseOf(call, NOTHING, template.fill({ [last]: 'no-such-app' }), record, refused(404)),
  ];
}

/** Tests a service, whose answers no seed determines: its list can be read, and an unknown item is not found. */
export function serviceCases(source: SuiteSource, call: CallModel): CallTest[] {
  const [record] = source.records;
  const target = exampleTarget(source, call);
  const { graphs, service } = factsOf(call);
  if (service === 'app') return [];
  if (call.cardinality === 'single' && call.method !== 'POST')
    return [caseOf(call, NOTHING, target, record, refused(404))];
  if (call.method !== 'GET') return [];
  if (!graphs) return [caseOf(call, 'answers with JSON', target, record, { kind: 'json', members: {} })];
  const [type = ''] = answerTypes(call);
  const graph = { kind: 'graph', type, resources: [], open: true } as const;
  return [caseOf(call, 'answers with a graph', target, record, graph)];
}

/** Tests an app's own text: stored, read back, removed. Made for the call that stores. */
export function storedCases(source: SuiteSource, call: CallModel): CallTest[] {
  if (call.method !== 'PUT') return [];
  const says = 'keeps what is stored until it is removed';
  return [caseOf(call, says, exampleTarget(source, call), source.records[0], { kind: 'stored' })];
}

/** Tests a POST: adds a statement of the seed to its record again, since it may link to others there. */
export async function addedCases(source: SuiteSource, call: CallModel): Promise<CallTest[]> {
  const { data, base, records } = source;
  const record = records.find((each) => data.instances(call, each).length > 0) ?? records[0];
  const target = exampleTarget(source, call, record);
  const type = formats.turtle.mediaType;
  const unusable = caseOf(call, 'refuses a body that it cannot read', target, record, refused(415), {
    body: { type: 'text/plain', text: 'no graph' },
  });
  const [name] = data.instances(call, record);
  if (!factsOf(call).takes.includes(type) || name === undefined) return [unusable];
  const quads = unnamed(data.graph(name), name);
  // Who adds a statement decides who provides it.
  const decided: readonly string[] = [sp.belongsTo, sp.provider];
  const own = data.graph(name).filter(({ predicate }) => !decided.includes(predicate.value));
  const lines = describeGraph(own, base)[name.replace(base, BASE)] ?? [];
  // A suite contains no base URL: its runner inserts that of the container.
  const body = { type, text: (await writeRdf(quads, 'turtle')).replaceAll(`<${base}/`, `<${BASE}/`) };
  const added = { kind: 'added', lines } as const;
  return [unusable, caseOf(call, 'adds a statement that is then read', target, record, added, { body })];
}
