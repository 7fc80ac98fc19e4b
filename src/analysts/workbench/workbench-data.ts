export interface ListedQuery {
  readonly id: string;
  readonly user: string;
  readonly title: string;
  readonly description: string;
  readonly query: string;
  readonly isShared: boolean;
}

export interface ListedQueries {
  readonly own: readonly ListedQuery[];
  readonly shared: readonly ListedQuery[];
}

/** Numbers of instances, by the IRI of the class; only of classes that have any. */
export type ClassCounts = Readonly<Record<string, number>>;

export interface PropertyCounts {
  readonly present: Readonly<Record<string, number>>;
  /** Values of several instances, the most frequent first. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
}
