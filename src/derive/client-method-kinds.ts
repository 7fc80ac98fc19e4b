import type { CallModel } from '../ontology/model.js';
import type { ClientClass } from './client-classes.js';
import { quoted } from './client-text.js';

/** What a form of call is in TypeScript: its form at run time, and the type of its method. */
export interface MethodKind {
  readonly form: string;
  readonly type: string;
  /** What the type is applied to after the parameters. */
  more(things: readonly ClientClass[], call: CallModel): readonly string[];
}

const unionOf = (things: readonly ClientClass[]): string => things.map(({ name }) => name).join(' | ');
const plain = (form: string, type: string): MethodKind => ({ form, type, more: () => [] });
const list: MethodKind = { form: 'list', type: 'ListMethod', more: (things) => [unionOf(things)] };
const object: MethodKind = {
  form: 'object',
  type: 'ReadMethod',
  more: (things) => [`ObjectAnswer<${unionOf(things)}>`],
};
const posted: MethodKind = { form: 'posted', type: 'PostMethod', more: (things) => [unionOf(things)] };
const graph: MethodKind = { form: 'graph', type: 'ReadMethod', more: () => ['GraphAnswer'] };
const file: MethodKind = { form: 'file', type: 'ReadMethod', more: () => ['FileAnswer'] };
const document: MethodKind = {
  form: 'document',
  type: 'DocumentMethod',
  more: (things, call) => [unionOf(things), quoted(defaultFormat(call))],
};

/** The kinds by answer, method and cardinality of the call; a row with `?` is for things that have no class here. */
const kinds: Readonly<Record<string, MethodKind>> = {
  'rdf GET single': object,
  'rdf GET single ?': graph,
  'rdf GET multiple': list,
  'rdf GET multiple ?': graph,
  'rdf POST single': posted,
  'json GET single': plain('json', 'JsonMethod'),
  'json GET multiple': plain('json', 'JsonListMethod'),
  'document GET multiple': list,
  'document GET single': document,
  'blob GET single': file,
  'blob PUT single': plain('stored', 'StoreMethod'),
  'blob DELETE single': plain('removed', 'RemoveMethod'),
};

/** The kinds that cannot be without a class to make objects of. */
const aboutThings: ReadonlySet<MethodKind> = new Set([list, object, document, posted]);

/**
 * The kind of a call.
 * @param things the classes that it answers with
 * @param asksFormat whether it has a parameter to ask for a format; else a document always comes in the same one
 * @throws Error for a call that no method is known for
 */
export function methodKind(call: CallModel, things: readonly ClientClass[], asksFormat: boolean): MethodKind {
  const form = `${call.answer} ${call.method} ${call.cardinality}`;
  const known = (things.length === 0 ? kinds[`${form} ?`] : undefined) ?? kinds[form];
  const fixed = defaultFormat(call) === 'raw' ? file : object;
  const kind = known === document && !asksFormat ? fixed : known;
  if (!kind) throw new Error(`No method can be made of ${call.name}: there is no ${form}.`);
  if (things.length === 0 && aboutThings.has(kind))
    throw new Error(`No method can be made of ${call.name}: its target has no properties.`);
  return kind;
}

/** The types that the methods and their parameters are written with, whether or not a call needs them. */
export const methodTypes: readonly string[] = [
  'DocumentMethod',
  'FileAnswer',
  'GraphAnswer',
  'JsonListMethod',
  'JsonMethod',
  'ListMethod',
  'NoParameters',
  'ObjectAnswer',
  'PostMethod',
  'ReadMethod',
  'RemoveMethod',
  'StoreMethod',
];

/** The format of a single document where none is asked for: specification 4.2, as `http/answers/document.ts` has it. */
export function defaultFormat({ contentType }: CallModel): string {
  return contentType === undefined ? 'raw' : 'combined';
}
