import type { Code, Reference } from './thing-types.js';

/** A code to be written, with title, system and identifier; one that was read will do. Its place says its class. */
export type CodeDraft = Omit<Code, 'types'>;

/** What a written thing does not say itself: the container gives its name and its record. */
type Given = 'iri' | 'type' | 'types' | 'belongsTo';

type Single<T> = {
  readonly [
    K in keyof T as K extends Given ? never : T[K] extends readonly unknown[] ? never : K
  ]: DraftValue<T[K]>;
};

/** Of what can have many values none is needed, and one may stand alone. */
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
 * A thing to be written: what is read of it, less what the container gives. `type` says its class where a property
 * leads to several, `iri` its name where it has one of its own, as media types do.
 */
export type Draft<T> = T extends { readonly type: string }
  ? Single<T> & Many<T> & { readonly type?: T['type']; readonly iri?: string }
  : never;
