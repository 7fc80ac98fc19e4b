import type { ClientForm } from '../model/ontology/client-methods.js';

/** How a property's value is read: as a text, a code, a node of its own, an RDF list, or by what it is. */
export type ValueKind = 'text' | 'code' | 'node' | 'list' | 'any';

/** How many values a property has: exactly one, at most one, or any number. */
export type Occurrence = 'one' | 'maybe' | 'many';

export interface PropertyRow {
  readonly iri: string;
  readonly is: Occurrence;
  readonly value: ValueKind;
  readonly classes?: readonly string[];
  /** The class of its codes, or of the codes in the coded value that it leads to. */
  readonly codes?: string;
}

/** A class of the ontology, for making objects. IRIs use the shared prefixes where one fits. */
export interface ClassRow {
  readonly iri: string;
  /** Whether its instances have their own addresses, so that others link to them instead of containing them. */
  readonly addressed: boolean;
  readonly above: readonly string[];
  readonly properties: Readonly<Record<string, PropertyRow>>;
}

export interface CallRow {
  readonly method: string;
  readonly path: string;
  /** How its answer is handled; `connect.ts` has a handler for each form. */
  readonly form: ClientForm;
  readonly query: readonly string[];
  readonly classes: readonly string[];
  /** Whether the answer can be empty: a record has at most one such thing, and may have none. */
  readonly mayBeAbsent?: boolean;
  readonly format?: string;
}

/** Everything that a client knows about an ontology; `CLIENT` is the type of the resulting client. */
export interface ApiModel<CLIENT = unknown> {
  readonly calls: Readonly<Record<keyof CLIENT & string, CallRow>>;
  readonly classes: Readonly<Record<string, ClassRow>>;
}
