/** A rule that `chartgraph validate` holds things to; its page is `docs/rules/{id}.md`. */
export interface Rule {
  readonly id: string;
  /** `error` where the container or its clients would break, `warning` for the rest. */
  readonly severity: 'error' | 'warning';
  /** What the rule asks for, in a sentence. */
  readonly summary: string;
  /** What to do when it is broken. */
  readonly hint: string;
}
