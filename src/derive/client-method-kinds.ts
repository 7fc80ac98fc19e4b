import { answerKeyOf, defaultFormat, factsOf } from '../ontology/answer-forms.js';
import { clientMethods, type ClientMethod } from '../ontology/client-methods.js';
import type { CallModel } from '../ontology/model.js';
import { isSingleton } from '../ontology/singleton.js';
import type { ClientClass } from './client-classes.js';
import { quoted } from './client-text.js';

/**
 * The client's method of a call.
 * @param things the classes that it answers with
 * @param asksFormat whether it has a parameter to ask for a format; else a document always comes in the same one
 * @throws Error for a call that nothing answers, or that answers with objects of a class without properties
 */
export function clientMethodOf(
  call: CallModel,
  things: readonly ClientClass[],
  asksFormat: boolean,
): ClientMethod {
  if (answerKeyOf(call) === undefined) {
    const { answer, method, cardinality } = call;
    throw new Error(`No method can be made of ${call.name}: there is no ${answer} ${method} ${cardinality}.`);
  }
  const { client, clientWithoutClass, clientWithoutFormat } = factsOf(call);
  const known = asksFormat ? client : (clientWithoutFormat?.[defaultFormat(call)] ?? client);
  if (things.length > 0 || !known.of.some((type) => CLASSES.test(type))) return known;
  if (clientWithoutClass) return clientWithoutClass;
  throw new Error(`No method can be made of ${call.name}: its target has no properties.`);
}

const CLASSES = /\bT\b/;

/** What the type of a client's method is applied to after the parameters. */
export function typeArguments(
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

/** The types that the methods and their parameters are written with, whether or not a call needs them. */
export const methodTypes: readonly string[] = [
  'NoParameters',
  ...new Set(
    Object.values<ClientMethod>(clientMethods)
      .flatMap(({ type, of }) => [type, ...of])
      .flatMap((type) => type.match(/[A-Z][a-z]\w+/g) ?? []),
  ),
];
