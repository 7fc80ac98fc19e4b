import { api, cg, sp } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import { answerKeyOf, answerRows, answers, cardinalities, methods } from '../answer-forms.js';
import { isA, scopes } from '../model.js';
import { oneOf } from '../annotations.js';
import type { CallModel, Ontology } from '../model.js';
import { PathTemplate } from '../path-template.js';
import { shortName } from '../term-names.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';
import type { OntologyRuleId } from './ontology-rules.js';

/** Attributes of the clients' own objects: a call of such a name would replace them. */
const reserved = new Set(
  'get put post delete request token update_token record_id user_id app_id smart_app_id data_mapper'.split(
    ' ',
  ),
);

/** Each thing a call states exactly once, and what a value of it looks like. */
const required: readonly {
  rule: OntologyRuleId;
  property: string;
  name: string;
  fault: (value: string) => string | undefined;
}[] = [
  { rule: 'call-name', property: api.clientMethodName, name: 'client method name', fault: nameFault },
  { rule: 'call-path', property: api.path, name: 'path', fault: pathFault },
  {
    rule: 'call-method',
    property: api.httpMethod,
    name: 'HTTP method',
    fault: (value) => listFault(methods, value.toUpperCase()),
  },
  {
    rule: 'call-scope',
    property: api.category,
    name: 'scope (api:category)',
    fault: (value) => listFault(scopes, value),
  },
  {
    rule: 'call-cardinality',
    property: api.cardinality,
    name: 'cardinality',
    fault: (value) => listFault(cardinalities, value),
  },
  {
    rule: 'call-answer',
    property: cg.answer,
    name: 'answer (cg:answer)',
    fault: (value) => listFault(answers, value),
  },
  { rule: 'call-target', property: api.target, name: 'target', fault: () => undefined },
];

/** What the placeholders of a scope's paths begin with. */
const scopePrefix: Partial<Record<string, string>> = {
  record: '/records/{record_id}',
  user: '/users/{user_id}',
};

/** Calls that lack what they need, contradict their scope, or cannot be told apart. */
export function callProblems(graph: Graph, ontology: Ontology): OntologyProblem[] {
  const calls = graph.instances(api.Call);
  return [
    ...calls.flatMap((call) => [...statementProblems(graph, ontology, call), ...formProblems(graph, call)]),
    ...ontology.calls.flatMap((call) => [...scopeProblems(call), ...basePathProblems(ontology, call)]),
    ...twice('call-name', ontology.calls, ({ name }) => name, 'client method name', api.clientMethodName),
    ...twice(
      'call-route',
      ontology.calls,
      (call) => `${call.method} ${PathTemplate.of(call.path).shape}`,
      'method and path',
      api.path,
    ),
  ];
}

function statementProblems(graph: Graph, ontology: Ontology, call: string): OntologyProblem[] {
  return required.flatMap(({ rule, property, name, fault }) => {
    const values = graph.objects(call, property);
    if (values.length !== 1)
      return [problem(rule, call, `must state exactly one ${name}, it states ${values.length}`, property)];
    const value = values[0]?.value ?? '';
    const found = fault(value);
    if (found !== undefined)
      return [problem(rule, call, `cannot have the ${name} ${value}: it ${found}`, property)];
    // What is declared as nothing at all is told as that.
    if (property === api.target && !ontology.classes.has(value) && ontology.terms.has(value)) {
      return [
        problem(
          rule,
          call,
          `has the target ${shortName(value)}, which is not declared as an owl:Class`,
          property,
        ),
      ];
    }
    return [];
  });
}

/** A form, a method and a cardinality that are all known, but that nothing is answered as. */
function formProblems(graph: Graph, call: string): OntologyProblem[] {
  const answer = oneOf(answers, graph.value(call, cg.answer));
  const method = oneOf(methods, graph.value(call, api.httpMethod)?.toUpperCase());
  const cardinality = oneOf(cardinalities, graph.value(call, api.cardinality));
  if (!answer || !method || !cardinality || answerKeyOf({ answer, method, cardinality })) return [];
  const wanted = `${answer} ${method} ${cardinality}`;
  return [
    problem(
      'call-answer',
      call,
      `cannot answer as ${wanted}: it is none of ${answerRows.join(', ')}`,
      cg.answer,
    ),
  ];
}

function listFault(allowed: readonly string[], value: string): string | undefined {
  return allowed.includes(value) ? undefined : `is none of ${allowed.join(', ')}`;
}

function nameFault(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'is not an ASCII identifier';
  return reserved.has(name) ? 'is an attribute of the client itself' : undefined;
}

function pathFault(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not begin with a slash';
  // Literal segments and placeholders alone make a segment; RFC 3986 §3.3 unreserved characters only.
  if (!/^(\/([A-Za-z0-9._~-]+|\{[^{}/]*\}))*\/?$/.test(path))
    return 'is not made of plain segments and {placeholders}';
  const names = PathTemplate.of(path).parameters;
  if (new Set(names).size !== names.length) return 'repeats a placeholder';
  // Clients look placeholders up by their lower-case name.
  return names.every((name) => /^[a-z_][a-z0-9_]*$/.test(name))
    ? undefined
    : 'has a placeholder that is no lower-case identifier';
}

function scopeProblems(call: CallModel): OntologyProblem[] {
  const prefix = scopePrefix[call.scope];
  return prefix === undefined || call.path === prefix || call.path.startsWith(`${prefix}/`)
    ? []
    : [
        problem(
          'call-path-parameter',
          call.iri,
          `has scope ${call.scope}, so its path must begin with ${prefix}`,
          api.path,
        ),
      ];
}

/** Statements are named by the base path of their class: without one nothing could be stored or found. */
function basePathProblems(ontology: Ontology, call: CallModel): OntologyProblem[] {
  const reads = call.method === 'GET' || call.method === 'POST';
  if (!reads || !isA(ontology, call.target, sp.Statement)) return [];
  const basePath = ontology.classes.get(call.target)?.basePath;
  const target = shortName(call.target);
  if (basePath === undefined) {
    return [
      problem(
        'call-base-path',
        call.iri,
        `has the target ${target}, a statement class without api:base_path`,
        api.target,
      ),
    ];
  }
  const single = call.method === 'GET' && call.cardinality === 'single' && call.scope === 'record';
  return single && PathTemplate.of(basePath).shape !== PathTemplate.of(call.path).shape
    ? [
        problem(
          'call-item-path',
          call.iri,
          `has a path that is not the base path of ${target}, so its items cannot be fetched`,
          api.path,
        ),
      ]
    : [];
}

function twice(
  rule: OntologyRuleId,
  calls: readonly CallModel[],
  keyOf: (call: CallModel) => string,
  what: string,
  near: string,
): OntologyProblem[] {
  const first = new Map<string, string>();
  return calls.flatMap((call) => {
    const key = keyOf(call);
    const other = first.get(key);
    if (other === undefined) first.set(key, call.iri);
    return other === undefined
      ? []
      : [problem(rule, call.iri, `has the same ${what} as ${shortName(other)}: ${key}`, near)];
  });
}
