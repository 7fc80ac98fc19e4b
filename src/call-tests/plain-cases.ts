import { unnamed } from '../derive/examples/posted-example.js';
import { answerTypes, factsOf } from '../ontology/answer-forms.js';
import type { CallModel } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { formats } from '../rdf/formats.js';
import { sp } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import { exampleTarget } from './access-cases.js';
import { BASE, describeGraph } from './describe-graph.js';
import type { CallTest } from './suite.js';
import { caseOf, type SuiteSource } from './suite-source.js';

/** The tests of a call that answers with JSON documents: the manifests of the seed's apps, or that of the container. */
export function jsonCases({ content, ontology, records }: SuiteSource, call: CallModel): CallTest[] {
  const template = PathTemplate.of(call.path);
  if (call.target !== sp.AppManifest) {
    const targets = [...new Set(ontology.calls.map(({ target }) => target))].sort();
    const methodsOf = (target: string): string[] =>
      [
        ...new Set(ontology.calls.filter((each) => each.target === target).map(({ method }) => method)),
      ].sort();
    const capabilities = Object.fromEntries(
      targets.map((target) => [target, { methods: methodsOf(target) }]),
    );
    const members = { api_base: BASE, capabilities };
    return [
      caseOf(call, 'says what can be done with each class', call.path, records[0], { kind: 'json', members }),
    ];
  }
  if (call.cardinality === 'multiple') {
    return [
      caseOf(call, 'has every app of the seed', call.path, records[0], {
        kind: 'json',
        members: content.apps,
      }),
    ];
  }
  const [last = ''] = template.parameters;
  return [
    ...content.apps.map((app) =>
      caseOf(call, `shows ${app.id}`, template.fill({ [last]: app.id }), records[0], {
        kind: 'json',
        members: app,
      }),
    ),
    caseOf(call, 'finds nothing where nothing is', template.fill({ [last]: 'no-such-app' }), records[0], {
      kind: 'refusal',
      status: 404,
    }),
  ];
}

/**
 * What a service answers depends on what has happened, which no seed tells: a list of it can be read, and what nobody
 * has begun is not there.
 */
export function serviceCases(source: SuiteSource, call: CallModel): CallTest[] {
  const [record] = source.records;
  const target = exampleTarget(source, call);
  const { graphs, service } = factsOf(call);
  // The requests of suites are signed with the tokens of records.
  if (service === 'app') return [];
  if (call.cardinality === 'single' && call.method !== 'POST')
    return [caseOf(call, 'finds nothing where nothing is', target, record, { kind: 'refusal', status: 404 })];
  if (call.method !== 'GET') return [];
  const [type = ''] = answerTypes(call);
  return [
    graphs
      ? caseOf(call, 'answers with a graph', target, record, {
          kind: 'graph',
          type,
          resources: [],
          open: true,
        })
      : caseOf(call, 'answers with JSON', target, record, { kind: 'json', members: {} }),
  ];
}

/** What an app keeps: stored, read back, removed. Asked of the call that stores. */
export function storedCases(source: SuiteSource, call: CallModel): CallTest[] {
  if (call.method !== 'PUT') return [];
  return [
    caseOf(call, 'keeps what is stored until it is removed', exampleTarget(source, call), source.records[0], {
      kind: 'stored',
    }),
  ];
}

/**
 * A statement of the seed, added once more without its name and without its record: to the record that it is of, whose
 * statements are all that it may link to.
 */
export async function addedCases(source: SuiteSource, call: CallModel): Promise<CallTest[]> {
  const { data, base, records } = source;
  const record = records.find((each) => data.instances(call, each).length > 0) ?? records[0];
  const target = exampleTarget(source, call, record);
  const type = formats.turtle.mediaType;
  const unusable = caseOf(
    call,
    'refuses a body that it cannot read',
    target,
    record,
    { kind: 'refusal', status: 415 },
    { body: { type: 'text/plain', text: 'no graph' } },
  );
  const [name] = data.instances(call, record);
  if (!factsOf(call).takes.includes(type) || name === undefined) return [unusable];
  const quads = unnamed(data.graph(name), name);
  const lines = describeGraph(
    data.graph(name).filter(({ predicate }) => predicate.value !== sp.belongsTo),
    base,
  )[name.replace(base, BASE)];
  // A suite names no base URL: whoever runs it puts that of the container here.
  const body = { type, text: (await writeRdf(quads, 'turtle')).replaceAll(`<${base}/`, `<${BASE}/`) };
  return [
    unusable,
    caseOf(
      call,
      'adds a statement that is then read',
      target,
      record,
      { kind: 'added', lines: lines ?? [] },
      { body },
    ),
  ];
}
