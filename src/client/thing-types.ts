/** An addressed thing as a plain object: a statement, a user. `types` holds the local names of all its classes. */
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

/** A thing that is named and not described here: fetch its IRI. It has no `type`, which tells it from a described one. */
export interface Reference {
  readonly iri: string;
  readonly type?: undefined;
}

/** A link to an addressed thing: described where the answer brings it along, one link deep. */
export type Link<T> = T | Reference;

/** A code of a code system. `types` holds the local names of its classes. */
export interface Code {
  readonly iri?: string;
  readonly title?: string;
  readonly system?: string;
  readonly identifier?: string;
  readonly types: readonly string[];
}

/** A value of which the ontology does not say what it is. */
export type Thing = string | Reference | Inner<string>;

/** Where the data of an answer is not as the ontology asks; the objects then hold what there is. */
export interface Fault {
  /** IRI or blank node label of the thing at fault. */
  readonly node: string;
  /** The property by its name on the object; none where the thing itself is of another class. */
  readonly property?: string;
  readonly reason: 'missing' | 'several' | 'not a text' | 'not a thing' | 'of another class';
}
