/** A saved query as the workbench gets it. */
export interface ListedQuery {
  readonly id: string;
  readonly user: string;
  readonly title: string;
  readonly description: string;
  readonly query: string;
  readonly isShared: boolean;
}

/** The saved queries that somebody sees, by title. */
export interface ListedQueries {
  readonly own: readonly ListedQuery[];
  /** What other analysts share. */
  readonly shared: readonly ListedQuery[];
}
