// What the server counts of the data for the schema panel of the workbench, and the panel shows.

/** How many instances there are of each class that has any, by the IRI of the class. */
export type ClassCounts = Readonly<Record<string, number>>;

/** What is counted of the instances of one class, by the IRIs of properties. */
export interface PropertyCounts {
  /** How many instances have the property. */
  readonly present: Readonly<Record<string, number>>;
  /** Values that several instances have, the most frequent first. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
}
