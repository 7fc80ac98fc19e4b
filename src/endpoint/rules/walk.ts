import { checkPrimitiveExtension } from './primitive-extensions.js';
import { endpointProblem, pointerOf, type EndpointProblem, type EndpointRule } from '../endpoint-problem.js';
import { freeProperties, propertyNames } from './endpoint-shapes.js';
import { valueChecks } from './value-checks.js';

/** How deep objects and arrays may nest: far more than any endpoint needs, far less than the stack allows. */
export const MAX_DEPTH = 200;
/** FHIR R4 string: "Strings SHALL NOT exceed 1MB (1024*1024 characters) in size". */
export const MAX_STRING = 1024 * 1024;
const limited = propertyNames(({ type }) => type === 'string' || type === 'markdown');
/** Properties that can hold a reference into the endpoint itself (FHIR R4 dom-3). */
const referring = propertyNames(({ type }) => ['uri', 'url', 'canonical'].includes(type));
const repeatingPrimitives = propertyNames(({ primitive, repeats }) => primitive && repeats);
const UNDERSCORE = 95;
const HASH = 35;
const SMALL_V = 118;
/** The length of `value`, which begins the names of the values of extensions. */
const VALUE = 5;

/** An object as the walk looks at it. */
export type Holder = Readonly<Record<string, unknown>>;

/** A walk over one endpoint and what it has met. */
export class Walk {
  readonly problems: EndpointProblem[] = [];
  /** Strings that begin with `#`: references into the endpoint itself. */
  readonly local: { readonly text: string; readonly pointer: string; readonly isReference: boolean }[] = [];
  /** Something nests deeper than is looked at; the rest of the walk was given up. */
  tooDeep = false;
  /** The way to the object that is being looked at. */
  readonly #path: (string | number)[] = [];

  /** Notes a problem at the object that is being looked at, or at one of its properties. */
  note(rule: EndpointRule, message: string, ...steps: (string | number)[]): void {
    this.noteAt(pointerOf([...this.#path, ...steps]), rule, message);
  }

  noteAt(pointer: string, rule: EndpointRule, message: string): void {
    this.problems.push(endpointProblem(pointer, rule, message));
  }

  /**
   * Looks at every value once, for what a schema cannot say of it. What the schema finds wrong is passed over.
   * @param free whether nothing but the general rules of FHIR's JSON is known of the object
   */
  object(object: Holder, free: boolean): void {
    if (this.#path.length >= MAX_DEPTH) {
      this.tooDeep = true;
      return;
    }
    let empty = true;
    for (const key in object) {
      empty = false;
      const value = object[key];
      const letter = key.charCodeAt(0);
      if (typeof value === 'string') {
        this.#string(value, key, key, free);
        // Few properties have a check of their own; asking the table for every one would take as long as all the rest.
        if (letter !== SMALL_V || key.length <= VALUE || free) {
          if (letter === UNDERSCORE) checkPrimitiveExtension(this, object, key, free);
          continue;
        }
      } else if (typeof value === 'object') this.#inner(object, key, value, free);
      if (letter === UNDERSCORE) checkPrimitiveExtension(this, object, key, free);
      else if (!free) valueChecks.get(key)?.(this, object, key);
    }
    if (empty && free) this.note('empty', 'An object cannot be empty.');
  }

  #inner(holder: Holder, key: string, value: object | null, free: boolean): void {
    if (value === null) {
      if (free) this.note('type', 'A property cannot be null; leave it out.', key);
      return;
    }
    this.#path.push(key);
    const within = free || freeProperties.has(key);
    if (Array.isArray(value)) this.#array(holder, key, value, within);
    else this.object(value as Holder, within);
    this.#path.pop();
  }

  #array(holder: Holder, key: string, array: readonly unknown[], free: boolean): void {
    if (free && array.length === 0) this.note('empty', 'An array cannot be empty.');
    for (let index = 0; index < array.length; index++) {
      const value = array[index];
      if (typeof value === 'string') this.#string(value, index, key, free);
      else if (typeof value !== 'object') continue;
      else if (value === null) {
        const lonely = holder[`_${key}`] === undefined && !key.startsWith('_');
        if (lonely && (free || repeatingPrimitives.has(key)))
          this.note('companion', 'Null stands only where the primitive extension has an extension.', index);
      } else if (!Array.isArray(value)) {
        this.#path.push(index);
        this.object(value as Holder, free);
        this.#path.pop();
      } else if (free) this.note('type', 'An array cannot hold an array.', index);
    }
  }

  #string(text: string, step: string | number, key: string, free: boolean): void {
    if (text.charCodeAt(0) === HASH && (free || key === 'reference' || referring.has(key))) {
      const isReference = key === 'reference' && !free;
      this.local.push({ text, pointer: pointerOf([...this.#path, step]), isReference });
    }
    if (text.length > MAX_STRING && !free && limited.has(key))
      this.note(
        'length',
        `A string has at most ${MAX_STRING} characters; this one has ${text.length}.`,
        step,
      );
    if (!text.isWellFormed())
      this.note('unicode', 'The string holds half of a surrogate pair, which is no character.', step);
    if (free && text === '') this.note('empty', 'A string cannot be empty.', step);
    if (free && key === '__proto__') this.note('unknown-property', '"__proto__" is no property.', step);
  }
}
