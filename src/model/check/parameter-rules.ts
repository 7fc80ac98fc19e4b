import { api, cg } from '../../rdf/vocabulary.js';
import { valueTypes } from '../ontology/value-types.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyRule, type Rule } from './rule.js';

const paging: ReadonlySet<string> = new Set(['limit', 'offset']);

const kinds = {
  filter: { type: api.Filter, link: api.hasFilter },
  parameter: { type: api.Parameter, link: api.hasParameter },
} as const;

type What = keyof typeof kinds;

const linked = (what: What): OntologyRule => ({
  id: `call-${what}`,
  severity: 'error',
  summary: `What a call links as a ${what} is declared as one.`,
  hint: `Declare it as api:${what === 'filter' ? 'Filter' : 'Parameter'}, or link the ${what} that is meant.`,
  check: ({ graph }) =>
    graph.instances(api.Call).flatMap((subject) =>
      graph
        .objects(subject, kinds[what].link)
        .filter((object) => !graph.hasType(object, kinds[what].type))
        .map(({ value }) =>
          breach(subject, `links ${shortName(value)}, which is not declared as a ${what}`, value),
        ),
    ),
});

function own(
  what: What,
  rule: Omit<Rule, 'severity'>,
  near: string,
  says: (stated: (property: string) => readonly string[]) => string | undefined,
): OntologyRule {
  return {
    ...rule,
    severity: 'error',
    check: ({ graph }) =>
      graph.instances(kinds[what].type).flatMap((subject) => {
        const said = says((property) => graph.objects(subject, property).map(({ value }) => value));
        return said === undefined ? [] : breach(subject, said, near);
      }),
  };
}

const named = (what: What): OntologyRule =>
  own(
    what,
    {
      id: `${what}-name`,
      summary: `A ${what} has one name, an identifier.`,
      hint: 'Give it one api:clientParameterName of letters, digits and underscores.',
    },
    api.clientParameterName,
    (stated) => {
      const [name = '', ...others] = stated(api.clientParameterName);
      if (name === '' || others.length > 0) return 'must state exactly one client parameter name';
      if (what === 'filter' && paging.has(name)) return `has the name of a parameter that pages: ${name}`;
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
        ? undefined
        : `has a client parameter name that is no ASCII identifier: ${name}`;
    },
  );

const typed = (what: What): OntologyRule =>
  own(
    what,
    {
      id: `${what}-type`,
      summary: `A ${what} says how its value is read.`,
      hint: `State one cg:valueType: ${valueTypes.slice(0, -1).join(', ')} or ${valueTypes.at(-1)}.`,
    },
    cg.valueType,
    (stated) => {
      const types = stated(cg.valueType);
      const [name = ''] = stated(api.clientParameterName);
      if (what === 'parameter' && paging.has(name) && types.join() !== 'integer')
        return `${name} is read as a whole number, so its cg:valueType must be integer`;
      return types.length === 1 && (valueTypes as readonly string[]).includes(types[0] ?? '')
        ? undefined
        : `must state exactly one cg:valueType of ${valueTypes.join(', ')}`;
    },
  );

const chosen = (what: What): OntologyRule =>
  own(
    what,
    {
      id: `${what}-choice`,
      summary: `A ${what} of the value type choice lists its choices, and no other has any.`,
      hint: 'State cg:valueType choice, with cg:choice for each value that it takes.',
    },
    cg.valueType,
    (stated) => {
      const isChoice = stated(cg.valueType).join() === 'choice';
      const hasChoices = stated(cg.choice).length > 0;
      if (isChoice === hasChoices) return undefined;
      return isChoice
        ? 'has the value type choice but no cg:choice'
        : 'has a cg:choice but not the value type choice';
    },
  );

const common: ReadonlySet<string> = new Set(['_format']);

const parameterTwice: OntologyRule = {
  id: 'parameter-twice',
  severity: 'error',
  summary: 'The parameters of a call, including those of its path, have different names.',
  hint: 'Rename one; _format belongs to every call already.',
  check: ({ ontology }) =>
    ontology.calls.flatMap(({ iri: subject, pathParameters, parameters, filters }) => {
      const seen = new Set<string>();
      const names = [...pathParameters, ...[...parameters, ...filters].map(({ name }) => name)];
      return names.flatMap((name) => {
        const fault = seen.has(name)
          ? 'twice'
          : common.has(name)
            ? 'which every call has already'
            : undefined;
        seen.add(name);
        return fault === undefined
          ? []
          : breach(subject, `declares the parameter ${name} ${fault}`, api.hasParameter);
      });
    }),
};

export const parameterRules = [
  ...(['filter', 'parameter'] as const).flatMap((what) => [
    linked(what),
    named(what),
    typed(what),
    chosen(what),
  ]),
  parameterTwice,
];
