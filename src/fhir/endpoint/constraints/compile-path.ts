import { ucum } from '../../../rdf/vocabulary.js';
import { endsBeforeStart } from '../rules/date-time.js';
import type { Path } from './parse-path.js';

/** The JSON values that a path leads to; a primitive with only an extension is the object of its extension. */
type Items = readonly unknown[];
type Json = Readonly<Record<string, unknown>>;

/** An expression, ready to evaluate; `resource` is the one that holds the value. */
type Evaluate = (focus: Items, resource: unknown) => Items;

/** Property names that stand for several properties, such as `value` for `valueString`. */
type Choices = ReadonlySet<string>;

/** Whether an expression holds for a value of a resource. */
export type Holds = (value: unknown, resource: unknown) => boolean;

/**
 * Compiles an expression, such as a constraint of FHIR R4, to a function: its names are looked up once. An empty
 * result is not true.
 * @throws Error if it names an unknown function, variable or operator
 */
export function compilePath(path: Path, choices: Choices): Holds {
  const evaluate = compiled(path, choices);
  return (value, resource) => booleanOf(evaluate([value], resource)) === true;
}

function compiled(path: Path, choices: Choices): Evaluate {
  switch (path.kind) {
    case 'value': {
      const value = [path.value];
      return () => value;
    }
    case 'variable':
      return variables[path.name] ?? unknown(path.name);
    case 'member':
      return ofFocus(path.of, choices, memberOf(path.name, choices));
    case 'call': {
      const of = path.of && compiled(path.of, choices);
      const args = path.args.map((each) => compiled(each, choices));
      const call = functions[path.name] ?? typeTest(path) ?? unknown(path.name);
      return (focus, resource) => call(of ? of(focus, resource) : focus, args, resource, focus);
    }
    case 'operation':
      return operation(path, choices);
  }
}

function ofFocus(of: Path | undefined, choices: Choices, look: (focus: Items) => Items): Evaluate {
  if (!of) return look;
  const evaluate = compiled(of, choices);
  return (focus, resource) => look(evaluate(focus, resource));
}

function unknown(name: string): never {
  throw new Error(`"${name}" is not known.`);
}

const ucumItems: Items = [ucum];

const variables: Readonly<Record<string, Evaluate>> = {
  $this: (focus) => focus,
  '%resource': (_focus, resource) => [resource],
  '%ucum': () => ucumItems,
};

const NONE: Items = [];

/** Returns the members of a name; the name of a resource type is the resource itself. */
function memberOf(name: string, choices: Choices): (focus: Items) => Items {
  const companion = `_${name}`;
  const isChoice = choices.has(name);
  return (focus) => {
    let found: unknown[] | undefined;
    for (const item of focus) {
      if (!isObject(item)) continue;
      if (item['resourceType'] === name) (found ??= []).push(item);
      else if (isChoice) {
        const plain = choiceOf(item, name);
        addMember(item, plain, `_${plain}`, (found ??= []));
      } else if (Object.hasOwn(item, name) || Object.hasOwn(item, companion))
        addMember(item, name, companion, (found ??= []));
    }
    return found ?? NONE;
  };
}

function addMember(holder: Json, name: string, companionName: string, found: unknown[]): void {
  const [value, companion] = [own(holder, name), own(holder, companionName)];
  if (!Array.isArray(value)) {
    if (value !== undefined || companion !== undefined) found.push(value ?? companion);
    return;
  }
  for (const [index, each] of value.entries())
    found.push(each ?? (Array.isArray(companion) ? (companion as unknown[])[index] : null));
}

function choiceOf(holder: Json, name: string): string {
  for (const key in holder) {
    const plain = key.startsWith('_') ? key.slice(1) : key;
    if (plain.startsWith(name) && /^[A-Z]/u.test(plain.slice(name.length))) return plain;
  }
  return name;
}

function own(holder: Json, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

type PathFunction = (of: Items, args: readonly Evaluate[], resource: unknown, focus: Items) => Items;

const functions: Readonly<Record<string, PathFunction>> = {
  exists: (of) => [of.length > 0],
  empty: (of) => [of.length === 0],
  count: (of) => [of.length],
  first: (of) => of.slice(0, 1),
  hasValue: (of) => [of.length === 1 && !isObject(of[0])],
  isDistinct: (of) => [new Set(of.map((item) => JSON.stringify(item))).size === of.length],
  not: (of) => notOf(booleanOf(of)),
  trace: (of) => of,
  toInteger: (of) => of.filter((item) => /^[+-]?\d+$/u.test(String(item))).map(Number),
  toString: (of: Items) => of.map(String),
  startsWith: (of, args, resource, focus) =>
    ofText(of, args, resource, focus, (text, other) => text.startsWith(other)),
  contains: (of, args, resource, focus) =>
    ofText(of, args, resource, focus, (text, other) => text.includes(other)),
  where: (of, args, resource) => of.filter((item) => isTrueOf(item, args, resource)),
  all: (of, args, resource) => [of.every((item) => isTrueOf(item, args, resource))],
  select: (of, args, resource) => of.flatMap((item) => args.flatMap((path) => path([item], resource))),
  iif: (of, [condition, yes, no], resource) => {
    const chosen = condition && booleanOf(condition(of, resource)) === true ? yes : no;
    return chosen ? chosen(of, resource) : [];
  },
};

function isTrueOf(item: unknown, args: readonly Evaluate[], resource: unknown): boolean {
  return args.every((path) => booleanOf(path([item], resource)) === true);
}

function ofText(
  of: Items,
  [path]: readonly Evaluate[],
  resource: unknown,
  focus: Items,
  test: (text: string, other: string) => boolean,
): Items {
  const [text, other] = [of[0], path?.(focus, resource)[0]];
  return typeof text === 'string' && typeof other === 'string' ? [test(text, other)] : [];
}

/** `is` as a function: its argument is the name of a type. */
function typeTest({ name, args }: Extract<Path, { kind: 'call' }>): PathFunction | undefined {
  return name === 'is' ? (of) => isOf(of, args[0]) : undefined;
}

/** Constraints ask only for the types of resources, booleans and decimals. */
function isOf(of: Items, type: Path | undefined): Items {
  const name = type?.kind === 'member' ? type.name : '';
  const [item] = of;
  if (of.length !== 1) return [];
  if (isObject(item)) return [item['resourceType'] === name];
  return [typeof item === ({ decimal: 'number', Boolean: 'boolean' }[name] ?? '')];
}

type ThreeValued = boolean | undefined;

/** FHIRPath, "Singleton Evaluation of Collections": one value of another type counts as true. */
function booleanOf(items: Items): ThreeValued {
  if (items.length === 0) return undefined;
  return typeof items[0] === 'boolean' ? items[0] : true;
}

function notOf(value: ThreeValued): Items {
  return value === undefined ? [] : [!value];
}

function operation(path: Extract<Path, { kind: 'operation' }>, choices: Choices): Evaluate {
  const { name, right } = path;
  const one = compiled(path.left, choices);
  if (name === 'is') return (focus, resource) => isOf(one(focus, resource), right);
  if (name === 'as')
    return (focus, resource) => {
      const items = one(focus, resource);
      return isOf(items, right)[0] === true ? items : [];
    };
  const other = compiled(right, choices);
  const logical = logic[name];
  if (logical)
    return (focus, resource) => {
      const first = booleanOf(one(focus, resource));
      // If one side decides, the other need not be evaluated.
      if (first !== undefined && first === decisive[name]) return logical(first, undefined);
      return logical(first, booleanOf(other(focus, resource)));
    };
  const compare = comparisons[name] ?? unknown(name);
  return (focus, resource) => compare(one(focus, resource), other(focus, resource));
}

const decisive: Readonly<Record<string, boolean>> = { and: false, or: true, implies: false };

const logic: Readonly<Record<string, (one: ThreeValued, other: ThreeValued) => Items>> = {
  and: (one, other) => (one === false || other === false ? [false] : one && other ? [true] : []),
  or: (one, other) =>
    one === true || other === true ? [true] : one === false && other === false ? [false] : [],
  xor: (one, other) => (one === undefined || other === undefined ? [] : [one !== other]),
  implies: (one, other) =>
    one === false || other === true ? [true] : one === true && other === false ? [false] : [],
};

const comparisons: Readonly<Record<string, (one: Items, other: Items) => Items>> = {
  '=': (one, other) => equal(one, other),
  '!=': (one, other) => equal(one, other).map((is) => !is),
  '>': (one, other) => ordered(other, one, false),
  '>=': (one, other) => ordered(other, one, true),
  '<': (one, other) => ordered(one, other, false),
  '<=': (one, other) => ordered(one, other, true),
  in: (one, other) => (one.length === 0 ? [] : [other.some((item) => isSame(item, one[0]))]),
  '|': (one, other) => [...one, ...other],
  '&': (one, other) => [`${textOf(one)}${textOf(other)}`],
  '+': (one, other) => (one.length === 0 || other.length === 0 ? [] : [Number(one[0]) + Number(other[0])]),
};

function textOf([item]: Items): string {
  return item === undefined || isObject(item) ? '' : String(item);
}

function equal(one: Items, other: Items): readonly boolean[] {
  if (one.length === 0 || other.length === 0) return [];
  return [one.length === other.length && one.every((item, index) => isSame(item, other[index]))];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));
}

/** Whether one value comes before another; quantities in different units are never in the wrong order. */
function ordered([one]: Items, [other]: Items, orEqual: boolean): Items {
  if (one === undefined || other === undefined) return [];
  if (typeof one === 'number' && typeof other === 'number')
    return [one < other || (orEqual && one === other)];
  // Constraints compare no other texts than dates.
  if (typeof one === 'string' && typeof other === 'string') return [!endsBeforeStart(one, other)];
  if (!isObject(one) || !isObject(other)) return [];
  const alike =
    one['code'] === other['code'] && one['unit'] === other['unit'] && one['system'] === other['system'];
  return alike ? ordered([one['value']], [other['value']], orEqual) : [true];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
