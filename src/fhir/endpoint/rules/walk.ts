import { checkPrimitiveExtension, checkUrl, valueChecks } from './value-checks.js';
import {
  endpointProblem,
  pointerOf,
  quoted,
  type EndpointProblem,
  type EndpointRule,
} from '../endpoint-problem.js';
import { openProperties, propertyNames, propertyTypes } from './endpoint-shapes.js';
import { structureOf } from './structures.js';
import { resourceStructure, walkStructure } from './structure-walk.js';

/** The deepest nesting: far more than any endpoint needs, far less than the stack allows. */
export const MAX_DEPTH = 200;
/** FHIR R4 string: "Strings SHALL NOT exceed 1MB (1024*1024 characters) in size". */
const MAX_STRING = 1024 * 1024;
const limited = new Set(['string', 'markdown']);
/** Types of values that can refer into the endpoint itself (FHIR R4 dom-3). */
const referring = new Set(['uri', 'url', 'canonical']);
const repeatingPrimitives = propertyNames(({ primitive, repeats }) => primitive && repeats);
const UNDERSCORE = 95;
const HASH = 35;
const SMALL_V = 118;
/** The length of `value`, which begins the names of the values of extensions. */
const VALUE = 5;

export type Holder = Readonly<Record<string, unknown>>;

export class Walk {
  readonly problems: EndpointProblem[] = [];
  /** Strings that begin with `#`: references into the endpoint itself. */
  readonly local: { readonly text: string; readonly pointer: string; readonly isReference: boolean }[] = [];
  /** Whether the walk was given up because something nests too deep. */
  tooDeep = false;
  readonly contained = new Map<string, string>();
  readonly #endpoint: Holder;
  /** Ids of elements by their resource. */
  readonly #ids = new Map<Holder, Set<string>>();
  /** The path to the current object. */
  readonly #path: (string | number)[] = [];

  constructor(endpoint: unknown) {
    this.#endpoint = (endpoint ?? {}) as Holder;
    const { contained } = this.#endpoint;
    for (const each of Array.isArray(contained) ? (contained as unknown[]) : []) {
      const { id, resourceType } = (each ?? {}) as { id?: unknown; resourceType?: unknown };
      if (typeof id === 'string' && typeof resourceType === 'string') this.contained.set(id, resourceType);
    }
  }

  /** Notes a problem at the current object, or at one of its properties. */
  note(rule: EndpointRule, message: string, ...steps: (string | number)[]): void {
    this.noteAt(pointerOf([...this.#path, ...steps]), rule, message);
  }

  noteAt(pointer: string, rule: EndpointRule, message: string): void {
    this.problems.push(endpointProblem(pointer, rule, message));
  }

  /** Notes a problem if another element of the resource has the id of the current object (FHIR R4 Element.id). */
  elementId(id: string, resource: Holder): void {
    const ids = this.#ids.get(resource);
    if (!ids) this.#ids.set(resource, new Set([id]));
    else if (!ids.has(id)) ids.add(id);
    else this.note('element-id', `Another element of the resource has the id ${quoted(id)}.`, 'id');
  }

  /** Goes to a value of the current object or array. */
  enter(step: string | number): void {
    this.#path.push(step);
  }

  /** Goes back to the place before the last `enter`. */
  leave(): void {
    this.#path.pop();
  }

  /** Whether the current object is too deep to check. */
  isTooDeep(): boolean {
    this.tooDeep ||= this.#path.length >= MAX_DEPTH;
    return this.tooDeep;
  }

  /**
   * Checks every value once, for rules that a schema cannot express. Schema errors are skipped.
   * @param isInner whether the object is an extension in an extension
   */
  object(object: Holder, isInner = false): void {
    if (this.isTooDeep()) return;
    for (const key in object) {
      const value = object[key];
      const letter = key.charCodeAt(0);
      if (typeof value === 'string') {
        this.string(value, key, propertyTypes.get(key), key === 'reference');
        if (key === 'url' && !isInner) checkUrl(this, object, key);
        if (key === 'id' && object !== this.#endpoint) this.elementId(value, this.#endpoint);
        // Few properties have a check; looking up every one in the table would take as long as all the rest.
        if (letter !== SMALL_V || key.length <= VALUE) {
          if (letter === UNDERSCORE) checkPrimitiveExtension(this, object, key, false);
          continue;
        }
      } else if (typeof value === 'object' && value !== null) this.#inner(object, key, value);
      if (letter === UNDERSCORE) checkPrimitiveExtension(this, object, key, false);
      else valueChecks.get(key)?.(this, object, key);
    }
  }

  #inner(holder: Holder, key: string, value: object): void {
    this.#path.push(key);
    const type = openProperties.get(key);
    if (Array.isArray(value)) this.#array(holder, key, value, type);
    else this.#opened(value as Holder, type, false);
    this.#path.pop();
  }

  #array(holder: Holder, key: string, array: readonly unknown[], type: string | undefined): void {
    const isInner = key === 'extension' && holder['url'] !== undefined;
    for (let index = 0; index < array.length; index++) {
      const value = array[index];
      if (typeof value === 'string') this.string(value, index, propertyTypes.get(key), false);
      else if (typeof value !== 'object') continue;
      else if (value === null) {
        if (holder[`_${key}`] === undefined && repeatingPrimitives.has(key))
          this.note('companion', 'Null stands only where the primitive extension has an extension.', index);
      } else if (!Array.isArray(value)) {
        this.#path.push(index);
        this.#opened(value as Holder, type, isInner);
        this.#path.pop();
      }
    }
  }

  /** Checks an object that the schema describes or leaves open; for the latter, the structures of R4 apply. */
  #opened(object: Holder, type: string | undefined, isInner: boolean): void {
    if (type === undefined) {
      this.object(object, isInner);
      return;
    }
    const structure = type === 'ContainedResource' ? resourceStructure(this, object) : structureOf(type);
    if (structure) walkStructure(this, object, structure, structure.isResource ? object : this.#endpoint);
  }

  /** Checks a string, by its primitive type if known, for rules beyond its pattern. */
  string(text: string, step: string | number, type: string | undefined, isReference: boolean): void {
    if (text.charCodeAt(0) === HASH && (isReference || referring.has(type ?? '')))
      this.local.push({ text, pointer: pointerOf([...this.#path, step]), isReference });
    if (text.length > MAX_STRING && limited.has(type ?? ''))
      this.note(
        'length',
        `A string has at most ${MAX_STRING} characters; this one has ${text.length}.`,
        step,
      );
    if (!text.isWellFormed())
      this.note('unicode', 'The string holds half of a surrogate pair, which is no character.', step);
  }
}
