import { defaultFormat, answerKeyOf, factsOf } from '../../model/ontology/answer-forms.js';
import { AT, AT_COMMENT, hasPast, isSingleton } from '../../model/ontology/call-facts.js';
import { clientMethods, type ClientMethod } from '../../model/ontology/client-methods.js';
import type { CallModel, ParameterModel } from '../../model/ontology/model.js';
import { valueTypeFacts } from '../../model/ontology/value-types.js';
import type { ClientClass, ClientClasses } from './client-classes.js';
import { pascalCase, application, callRow, comment, key, quoted, union, type Names } from './client-text.js';

export class ClientCalls {
  readonly #parameters: ReadonlyMap<string, string>;

  constructor(
    private readonly calls: readonly CallModel[],
    private readonly classes: ClientClasses,
    names: Names,
  ) {
    this.#parameters = new Map(
      calls.map((call) => [
        call.name,
        call.pathParameters.length + queryOf(call).length === 0
          ? 'NoParameters'
          : names.take(`${pascalCase(call.name)}Parameters`),
      ]),
    );
  }

  parameters(): string {
    return this.calls
      .map((call) => {
        const name = this.#parameters.get(call.name) ?? '';
        if (name === 'NoParameters') return '';
        const inPath = [...new Set(call.pathParameters)].map((each) => `  readonly ${key(each)}: string;\n`);
        const members = [...inPath, ...queryOf(call).map(parameterMember)];
        return `\n/** What \`${call.name}\` takes. */\nexport interface ${name} {\n${members.join('')}}\n`;
      })
      .join('');
  }

  methods(): string {
    return this.calls
      .map((call) => {
        const { kind, things } = this.#kindOf(call);
        const parameters = this.#parameters.get(call.name) ?? '';
        const says = `${call.comment || call.label}\n\`${call.method} ${call.path}\``;
        const applied = [parameters, ...typeArguments(kind, things, call)];
        return comment(says, '  ') + application(`readonly ${key(call.name)}: ${kind.type}`, applied, '  ');
      })
      .join('');
  }

  rows(): string {
    return this.calls
      .map((call) => {
        const { kind, things } = this.#kindOf(call);
        const lists = {
          query: queryOf(call).map(({ name }) => name),
          classes: things.map(({ name }) => name),
        };
        const more = [
          ...(isSingleton(call) && things.length > 0 ? ['mayBeAbsent: true'] : []),
          ...(kind.form === 'document' ? [`format: ${quoted(defaultFormat(call))}`] : []),
        ];
        return callRow(call.name, { ...call, form: kind.form }, lists, more);
      })
      .join('');
  }

  #kindOf(call: CallModel): { kind: ClientMethod; things: ClientClass[] } {
    const things = this.classes.family(call.target);
    return { kind: clientMethodOf(call, things), things };
  }
}

type Argument = Pick<ParameterModel, 'name' | 'valueType'> & {
  readonly choices?: readonly string[];
  readonly says?: string;
};

/** Returns the query arguments, each name once; names of the path are left out. */
function queryOf(call: CallModel): Argument[] {
  const { parameters, filters, pathParameters } = call;
  const byName = new Map<string, Argument>();
  if (hasPast(call)) byName.set(AT, { name: AT, valueType: 'text', says: AT_COMMENT });
  for (const argument of [...filters, ...parameters]) byName.set(argument.name, argument);
  for (const name of pathParameters) byName.delete(name);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function parameterMember({ name, valueType, choices = [], says }: Argument): string {
  const { clientType, hint } = valueTypeFacts[valueType];
  const types = valueType === 'choice' && choices.length > 0 ? choices.map(quoted) : [clientType];
  return comment(says ?? hint, '  ') + union(`readonly ${key(name)}?:`, types, '  ');
}

/** @throws Error for a call that nothing answers, or that answers with objects of a class without properties */
function clientMethodOf(call: CallModel, things: readonly ClientClass[]): ClientMethod {
  if (answerKeyOf(call) === undefined) {
    const { answer, method, cardinality } = call;
    throw new Error(`No method can be made of ${call.name}: there is no ${answer} ${method} ${cardinality}.`);
  }
  const { client, clientWithoutClass, clientWithoutFormat } = factsOf(call);
  // Without a parameter for the format, a document always has the same one.
  const asksFormat = queryOf(call).some(({ name }) => name === 'format');
  const known = asksFormat ? client : (clientWithoutFormat?.[defaultFormat(call)] ?? client);
  if (things.length > 0 || !known.of.some((type) => CLASSES.test(type))) return known;
  if (clientWithoutClass) return clientWithoutClass;
  throw new Error(`No method can be made of ${call.name}: its target has no properties.`);
}

const CLASSES = /\bT\b/;

/** Returns the type arguments of a client method, after the parameters. */
function typeArguments(
  { of }: ClientMethod,
  things: readonly ClientClass[],
  call: CallModel,
): readonly string[] {
  const names = things.map(({ name }) => name);
  const classes = [...names, ...(isSingleton(call) ? ['undefined'] : [])].join(' | ');
  return of.map((type) =>
    type === 'FORMAT' ? quoted(defaultFormat(call)) : type.replace(CLASSES, () => classes),
  );
}

/** Types used by methods and their parameters, whether or not a call needs them. */
export const methodTypes: readonly string[] = [
  'NoParameters',
  ...new Set(
    Object.values<ClientMethod>(clientMethods)
      .flatMap(({ type, of }) => [type, ...of])
      .flatMap((type) => type.match(/[A-Z][a-z]\w+/g) ?? []),
  ),
];
