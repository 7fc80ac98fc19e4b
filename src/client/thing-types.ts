/** An addressed thing (statement, user) as a plain object. `types` has the local names of all its classes. */
export interface Described<NAME extends string> {
  readonly iri: string;
  readonly type: NAME;
  readonly types: readonly string[];
}

/** A part of another thing; few have an IRI. */
export interface Inner<NAME extends string> {
  readonly iri?: string;
  readonly type: NAME;
  readonly types: readonly string[];
}

/** A thing that is named but not described here: fetch its IRI. Unlike a described thing, it has no `type`. */
export interface Reference {
  readonly iri: string;
  readonly type?: undefined;
}

/** A link to an addressed thing, which is described if the answer includes it; answers follow one link. */
export type Link<T> = T | Reference;

/** A code of a code system. `types` has the local names of its classes. */
export interface Code {
  readonly iri?: string;
  readonly title?: string;
  readonly system?: string;
  readonly identifier?: string;
  readonly types: readonly string[];
}

/** A value that the ontology does not describe. */
export type Thing = string | Reference | Inner<string>;

/** A deviation of the data from the ontology; the objects contain what there is. */
export interface Fault {
  readonly node: string;
  /** The property's name on the object; undefined when the thing itself has another class. */
  readonly property?: string;
  readonly reason: 'missing' | 'several' | 'not a text' | 'not a thing' | 'of another class';
}

/** A code to write, with title, system and identifier, such as one that was read. Its property decides its class. */
type CodeDraft = Omit<Code, 'types'>;

/** Members that a draft may omit, because the container adds the name and record. */
type Given = 'iri' | 'type' | 'types' | 'belongsTo';

type Single<T> = {
  readonly [
    K in keyof T as K extends Given ? never : T[K] extends readonly unknown[] ? never : K
  ]: DraftValue<T[K]>;
};

/** Properties with many values need none, and accept a single value. */
type Many<T> = {
  readonly [K in keyof T as K extends Given ? never : T[K] extends readonly unknown[] ? K : never]?:
    DraftValue<T[K]> | (T[K] extends readonly (infer E)[] ? DraftValue<E> : never);
};

type DraftValue<V> = V extends string
  ? string
  : V extends readonly (infer E)[]
    ? readonly DraftValue<E>[]
    : V extends { readonly type: string }
      ? Draft<V>
      : V extends { readonly types: readonly string[] }
        ? CodeDraft
        : V extends undefined
          ? V
          : Reference;

/**
 * A thing to write: like a thing that was read, without what the container adds. `type` states its class when a
 * property allows several; `iri` its name if it already has one, as media types do.
 */
export type Draft<T> = T extends { readonly type: string }
  ? Single<T> & Many<T> & { readonly type?: T['type']; readonly iri?: string }
  : never;
