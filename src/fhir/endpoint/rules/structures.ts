import { compilePath, type Holds } from '../constraints/compile-path.js';
import { parsePath, type Path } from '../constraints/parse-path.js';
import { r4 } from '../r4.js';

export interface Element {
  /** `string`, `Quantity`, `Timing.repeat`; `Resource` is any of them. */
  readonly type: string;
  readonly repeats: boolean;
  readonly primitive: boolean;
  /** Whether it can change the meaning of the element around it (isModifier). */
  readonly isModifier: boolean;
  /** The types of resources that a reference may name; undefined if all. */
  readonly targets: ReadonlySet<string> | undefined;
  /** The only codes allowed. */
  readonly codes: ReadonlySet<string> | undefined;
}

export interface Constraint {
  readonly key: string;
  /** HL7's sentence, without its full stop. */
  readonly sentence: string;
  readonly holds: Holds;
}

export interface Structure {
  readonly type: string;
  readonly isResource: boolean;
  /** By the name of the property: `valueString` has a separate one. */
  readonly elements: ReadonlyMap<string, Element>;
  /** Names of required elements, each with the properties that can hold it. */
  readonly required: readonly { readonly name: string; readonly properties: readonly string[] }[];
  /** Properties that exclude each other. */
  readonly choices: readonly (readonly string[])[];
  readonly constraints: readonly Constraint[];
}

/** An element in the table: its name, its cardinality, whether it is a modifier, its types, its value set. */
const line = /^([A-Za-z]+)(\[x\])?([!*+]?)(\??) (\S+)(?: #(\S+))?$/u;

const known = new Map<string, Structure | undefined>();

/** Returns the structure of a type, read from the table of R4 on first use; undefined for an unknown type. */
export function structureOf(type: string): Structure | undefined {
  if (!known.has(type))
    known.set(type, Object.hasOwn(r4.structures, type) ? read(type, r4.structures[type] ?? '') : undefined);
  return known.get(type);
}

/** Names of elements that stand for several properties, as `value` stands for `valueString`. */
const choiceNames: ReadonlySet<string> = new Set(
  [
    ...Object.values(r4.structures)
      .join('; ')
      .matchAll(/([A-Za-z]+)\[x\]/gu),
  ].map(([, name]) => name ?? ''),
);

function read(type: string, text: string): Structure {
  const elements = new Map<string, Element>();
  const required: Structure['required'][number][] = [];
  const choices: string[][] = [];
  for (const each of text.split('; ')) {
    const [, name = '', isChoice, often = '', modifier, types = '', set] = line.exec(each) ?? [];
    const properties: string[] = [];
    for (const [, own = '', targets] of types.matchAll(/([A-Za-z.\d]+)(?:\(([^)]*)\))?/gu)) {
      const property = isChoice === undefined ? name : `${name}${own.charAt(0).toUpperCase()}${own.slice(1)}`;
      properties.push(property);
      elements.set(property, { ...elementOf(own, often, targets, set), isModifier: modifier === '?' });
    }
    if (often === '!' || often === '+')
      required.push({ name: isChoice === undefined ? name : `${name}[x]`, properties });
    if (isChoice !== undefined) choices.push(properties);
  }
  const isResource = elements.has('resourceType');
  return { type, isResource, elements, required, choices, constraints: constraintsOf(type, elements) };
}

function elementOf(
  type: string,
  often: string,
  targets: string | undefined,
  set: string | undefined,
): Omit<Element, 'isModifier'> {
  return {
    type,
    repeats: often === '*' || often === '+',
    primitive: /^[a-z]/u.test(type),
    targets: targets === undefined ? undefined : new Set(targets.split(',')),
    codes: set === undefined ? undefined : codesOfSet(set),
  };
}

/** Returns the constraints of a type and of its elements: a path that begins at an element belongs to the type, too. */
function constraintsOf(type: string, elements: ReadonlyMap<string, Element>): Constraint[] {
  const own = Object.entries(r4.constraints[type] ?? {}).map(([key, text]) =>
    constraintOf(key, text, (path) => path),
  );
  const inner = [...elements.keys()].flatMap((name) => {
    // Constraints of a part are with its own structure.
    if (Object.hasOwn(r4.structures, `${type}.${name}`)) return [];
    const of: Path = { kind: 'member', of: undefined, name };
    return Object.entries(r4.constraints[`${type}.${name}`] ?? {}).map(([key, text]) =>
      constraintOf(key, text, (path) => ({ kind: 'call', of, name: 'all', args: [path] })),
    );
  });
  return [...own, ...inner];
}

function constraintOf(key: string, text: string, within: (path: Path) => Path): Constraint {
  const [sentence = '', expression = ''] = text.split(' :: ');
  return { key, sentence, holds: compilePath(within(parsePath(expression)), choiceNames) };
}

const codeLists = new Map<string, ReadonlySet<string>>();

function codesOfSet(name: string): ReadonlySet<string> {
  return listed(`#${name}`, r4.valueSets[name] ?? '');
}

/** Returns the codes of a code system that HL7 maintains for FHIR; undefined for all others. */
export function codesOfSystem(system: string): ReadonlySet<string> | undefined {
  const known = codeLists.get(system);
  if (known) return known;
  return Object.hasOwn(r4.codeSystems, system) ? listed(system, r4.codeSystems[system] ?? '') : undefined;
}

function listed(key: string, text: string): ReadonlySet<string> {
  const codes = codeLists.get(key) ?? new Set(text.split(' '));
  codeLists.set(key, codes);
  return codes;
}
