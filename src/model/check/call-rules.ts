import { groupedBy } from '../../rdf/by-key.js';
import { api, cg } from '../../rdf/vocabulary.js';
import { oneOf } from '../ontology/annotations.js';
import {
  ANYTHING,
  answerKeyOf,
  answerRows,
  answers,
  cardinalities,
  factsOf,
  graphTypes,
  methods,
} from '../ontology/answer-forms.js';
import { scopes, type CallModel } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule, type Rule } from './rule.js';

/** Attributes of the client objects; a call with such a name would replace them. */
const reserved = new Set(
  'get put post delete request token update_token record_id user_id app_id smart_app_id data_mapper'.split(
    ' ',
  ),
);

interface Fact extends Omit<Rule, 'severity'> {
  readonly property: string;
  readonly name: string;
  readonly fault?: (value: string) => string | undefined;
  readonly more?: OntologyRule['check'];
}

function fact({ property, name, fault, more, ...rule }: Fact): OntologyRule {
  const breachOf = ({ graph }: OntologyInput, subject: string): Breach[] => {
    const values = graph.objects(subject, property);
    const value = values[0]?.value ?? '';
    if (values.length !== 1)
      return [breach(subject, `must state exactly one ${name}, it states ${values.length}`, property)];
    const found = fault?.(value);
    return found === undefined
      ? []
      : [breach(subject, `cannot have the ${name} ${value}: it ${found}`, property)];
  };
  return {
    ...rule,
    severity: 'error',
    check: (input) => [
      ...input.graph.instances(api.Call).flatMap((call) => breachOf(input, call)),
      ...(more?.(input) ?? []),
    ],
  };
}

const either = (values: readonly string[]): string => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const noneOf =
  (allowed: readonly string[]) =>
  (value: string): string | undefined =>
    allowed.includes(value) ? undefined : `is none of ${allowed.join(', ')}`;

function shared(
  what: string,
  near: string,
  keyOf: (call: CallModel) => string,
): (input: OntologyInput) => Breach[] {
  return ({ ontology: { calls } }) => {
    return [...groupedBy(calls, keyOf)].flatMap(([key, same]) =>
      same.length === 1
        ? []
        : same.map(({ iri: subject }) => {
            const others = same.filter(({ iri }) => iri !== subject).map(({ iri }) => shortName(iri));
            return breach(subject, `has the same ${what} as ${others.join(' and ')}: ${key}`, near);
          }),
    );
  };
}

const callName = fact({
  id: 'call-name',
  summary: 'A call has one client method name, an identifier that no other call and no client attribute has.',
  hint: 'Give it one api:clientMethodName of letters, digits and underscores.',
  property: api.clientMethodName,
  name: 'client method name',
  fault: (name) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'is not an ASCII identifier';
    return reserved.has(name) ? 'is an attribute of the client itself' : undefined;
  },
  more: shared('client method name', api.clientMethodName, ({ name }) => name),
});

const callMethod = fact({
  id: 'call-method',
  summary: 'A call has one HTTP method that the container knows.',
  hint: `State one api:httpMethod: ${either(methods)}.`,
  property: api.httpMethod,
  name: 'HTTP method',
  fault: (value) => noneOf(methods)(value.toUpperCase()),
});

const callPath = fact({
  id: 'call-path',
  summary: 'A call has one path of plain segments and {placeholders}, each placeholder once.',
  hint: 'Write it like /records/{record_id}/things/{thing_id}.',
  property: api.path,
  name: 'path',
  fault: (path) => {
    if (!path.startsWith('/')) return 'does not begin with a slash';
    // RFC 3986 §3.3: a segment is a placeholder or unreserved characters.
    if (!/^(\/([A-Za-z0-9._~-]+|\{[^{}/]*\}))*\/?$/.test(path))
      return 'is not made of plain segments and {placeholders}';
    // RFC 3986 §5.2.4: resolving an address removes dot segments.
    if (/\/\.{1,2}(\/|$)/.test(path)) return 'has a segment of dots alone';
    const names = PathTemplate.of(path).parameters;
    if (new Set(names).size !== names.length) return 'repeats a placeholder';
    return names.every((name) => /^[a-z_][a-z0-9_]*$/.test(name)) && !path.includes('{}')
      ? undefined
      : 'has a placeholder that is no lower-case identifier';
  },
});

const callScope = fact({
  id: 'call-scope',
  summary: 'A call has one scope.',
  hint: `State one api:category: ${either(scopes)}.`,
  property: api.category,
  name: 'scope (api:category)',
  fault: noneOf(scopes),
});

const callTarget = fact({
  id: 'call-target',
  summary: 'A call has one target, a declared class.',
  hint: 'State one api:target, the class of what the call reads or writes.',
  property: api.target,
  name: 'target',
  // An undeclared target is reported by another rule.
  more: ({ graph, ontology: { classes, terms } }) =>
    graph.instances(api.Call).flatMap((subject) => {
      const [{ value = '', termType = '' } = {}, ...others] = graph.objects(subject, api.target);
      if (termType === 'Literal')
        return breach(subject, `has the target "${value}", a text: write it without quotes`, api.target);
      if (others.length > 0 || classes.has(value) || !terms.has(value)) return [];
      const says = `has the target ${shortName(value)}, which is not declared as an owl:Class`;
      return breach(subject, says, api.target);
    }),
});

const callCardinality = fact({
  id: 'call-cardinality',
  summary:
    'A call says whether it answers with one resource or a list; the path of a single one has no list.',
  hint: 'State one api:cardinality: single or multiple.',
  property: api.cardinality,
  name: 'cardinality',
  fault: noneOf(cardinalities),
  more: ({ ontology: { calls, classes } }) =>
    calls.flatMap(({ iri: subject, answer, cardinality, path, target }) => {
      const basePath = classes.get(target)?.basePath;
      const isOne = basePath !== undefined && PathTemplate.of(basePath).shape === PathTemplate.of(path).shape;
      if (!isOne || cardinality === 'single' || answer !== 'rdf') return [];
      const says = `answers with a list at the path of a single ${shortName(target)}`;
      return breach(subject, says, api.cardinality);
    }),
});

const callAnswer = fact({
  id: 'call-answer',
  summary: 'A call states the form of its answer.',
  hint: `State one cg:answer: ${either(answers)}.`,
  property: cg.answer,
  name: 'answer (cg:answer)',
  fault: noneOf(answers),
  // Form, method and cardinality may each be known without a row for the combination.
  more: ({ graph }) =>
    graph.instances(api.Call).flatMap((subject) => {
      const answer = oneOf(answers, graph.value(subject, cg.answer));
      const method = oneOf(methods, graph.value(subject, api.httpMethod)?.toUpperCase());
      const cardinality = oneOf(cardinalities, graph.value(subject, api.cardinality));
      if (!answer || !method || !cardinality || answerKeyOf({ answer, method, cardinality })) return [];
      const wanted = `${answer} ${method} ${cardinality}`;
      return breach(subject, `cannot answer as ${wanted}: it is none of ${answerRows.join(', ')}`, cg.answer);
    }),
});

const callRoute: OntologyRule = {
  id: 'call-route',
  severity: 'error',
  summary: 'No two calls have the same method and path.',
  hint: 'Change one of the paths; names of placeholders and a slash at the end do not tell paths apart.',
  check: shared(
    'method and path',
    api.path,
    ({ method, path }) => `${method} ${PathTemplate.of(path).shape}`,
  ),
};

/** The media types that a call can promise: its answers to requests that ask for no type. */
function promisable(call: CallModel): readonly string[] {
  if (answerKeyOf(call) === undefined) return [];
  const { graphs, types } = factsOf(call);
  return graphs ? graphTypes.slice(0, 1) : types.filter((type) => type !== ANYTHING && call.method === 'GET');
}

const callMediaType: OntologyRule = {
  id: 'call-media-type',
  severity: 'error',
  summary: 'The media type that a call promises is its answer to a request that asks for none.',
  hint: 'State one api:responseContentType such as application/rdf+xml for graphs or application/json for JSON, or none for what is answered as it was stored.',
  check: ({ graph, ontology: { calls } }) =>
    calls.flatMap((call) => {
      const { iri: subject, answer } = call;
      const allowed = promisable(call);
      const which = allowed.length === 0 ? 'promises none' : `promises one of ${allowed.join(', ')}`;
      const types = graph.objects(subject, api.responseContentType);
      return types
        .filter(({ value }) => types.length > 1 || !allowed.includes(value))
        .map(({ value }) =>
          breach(
            subject,
            `cannot promise the media type ${value}: an answer of the form ${answer} ${which}`,
            api.responseContentType,
          ),
        );
    }),
};

export const callRules = [
  callName,
  callMethod,
  callPath,
  callScope,
  callTarget,
  callCardinality,
  callAnswer,
  callRoute,
  callMediaType,
];
