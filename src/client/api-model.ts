import type { ClientForm } from '../ontology/client-methods.js';

/** How a value of a property is read: as text, as a code, as a node of its own, as an RDF list, or as whatever it is. */
export type ValueKind = 'text' | 'code' | 'node' | 'list' | 'any';

/** How many values a property has: one always, one perhaps, or any number. */
export type Occurrence = 'one' | 'maybe' | 'many';

/** A property of a class; `classes` are the names of what a node may be. */
export interface PropertyRow {
  readonly iri: string;
  readonly is: Occurrence;
  readonly value: ValueKind;
  readonly classes?: readonly string[];
  /** The class of the codes that it takes, itself or in the coded value that it leads to. */
  readonly codes?: string;
}

/** A class of the ontology as objects are made of it. IRIs are written with the project's prefixes where one fits. */
export interface ClassRow {
  readonly iri: string;
  /** Whether its instances have addresses of their own, so that others link to them instead of holding them. */
  readonly addressed: boolean;
  /** Names of the classes above it. */
  readonly above: readonly string[];
  /** By the name that the property has on the object. */
  readonly properties: Readonly<Record<string, PropertyRow>>;
}

/** A call of the ontology as requests are made of it. */
export interface CallRow {
  readonly method: string;
  /** Path below the base URL with placeholders in braces. */
  readonly path: string;
  /** What is done with its answer; `connect.ts` has a handler for each form. */
  readonly form: ClientForm;
  /** Names of the parameters that travel in the query. */
  readonly query: readonly string[];
  /** Names of the classes that the answer is about. */
  readonly classes: readonly string[];
  /** Whether the answer can be empty: a record has room for one such thing, and may have none. */
  readonly mayBeAbsent?: boolean;
  /** The format of a document where none is asked for. */
  readonly format?: string;
}

/** All that a client knows of an ontology; `CLIENT` is the type of the client that is made of it. */
export interface ApiModel<CLIENT = unknown> {
  readonly calls: Readonly<Record<keyof CLIENT & string, CallRow>>;
  readonly classes: Readonly<Record<string, ClassRow>>;
}
