import { defaultFormat } from '../ontology/answer-forms.js';
import type { CallModel, ParameterModel } from '../ontology/model.js';
import { AT, AT_COMMENT, hasPast } from '../ontology/has-past.js';
import { isSingleton } from '../ontology/singleton.js';
import { valueTypeFacts } from '../ontology/value-types.js';
import type { ClientClass, ClientClasses } from './client-classes.js';
import type { ClientMethod } from '../ontology/client-methods.js';
import { clientMethodOf, typeArguments } from './client-method-kinds.js';
import { pascalCase, type Names } from './client-names.js';
import { application, comment, fitted, key, quoted, union } from './client-text.js';

/** Writes the calls of an ontology as TypeScript. */
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

  /** One interface of parameters for each call that has any. */
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

  /** The members of the client: a method for each call. */
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

  /** The table of the calls that requests are made by. */
  rows(): string {
    return this.calls
      .map((call) => {
        const { kind, things } = this.#kindOf(call);
        const indent = '      ';
        return [
          `    ${key(call.name)}: {\n`,
          `${indent}method: ${quoted(call.method)},\n`,
          `${indent}path: ${quoted(call.path)},\n`,
          `${indent}form: ${quoted(kind.form)},\n`,
          fitted(
            'query: [',
            queryOf(call).map(({ name }) => quoted(name)),
            '],',
            { indent },
          ),
          fitted(
            'classes: [',
            things.map(({ name }) => quoted(name)),
            '],',
            { indent },
          ),
          isSingleton(call) && things.length > 0 ? `${indent}mayBeAbsent: true,\n` : '',
          kind.form === 'document' ? `${indent}format: ${quoted(defaultFormat(call))},\n` : '',
          '    },\n',
        ].join('');
      })
      .join('');
  }

  #kindOf(call: CallModel): { kind: ClientMethod; things: ClientClass[] } {
    const things = this.classes.family(call.target);
    return {
      kind: clientMethodOf(
        call,
        things,
        queryOf(call).some(({ name }) => name === 'format'),
      ),
      things,
    };
  }
}

type Argument = Pick<ParameterModel, 'name' | 'valueType'> & {
  readonly choices?: readonly string[];
  /** What to say of it, where its type does not say enough. */
  readonly says?: string;
};

/** What travels in the query, each name once; a name of the path stays there. */
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
