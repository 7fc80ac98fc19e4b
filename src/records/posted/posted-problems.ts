import { Problem } from '../../problem.js';
import type { Violation } from '../../validate/violation.js';

/** Where a rule is broken: told to the caller, whose own words they are, and to nobody else. */
export interface BrokenAt {
  readonly property?: string;
  readonly value?: string;
}

/** A value is quoted up to so many characters, and so many violations are named. */
const QUOTED = 200;
const TOLD = 50;

/** Refuses what is well-formed RDF and against a rule. @throws Problem unprocessable */
export function refuse422(rule: string, detail: string, at: BrokenAt = {}): never {
  throw new Problem('unprocessable', detail, { extra: { rule, ...quoted(at) } });
}

/** Refuses what the ontology does not allow: the first violation in the main members, all of them in a list. */
export function refuseViolations(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  const { rule, message } = first;
  throw new Problem('unprocessable', message, {
    extra: {
      rule,
      ...quoted(first),
      violations: violations
        .slice(0, TOLD)
        .map((each) => ({ rule: each.rule, ...quoted(each), message: each.message })),
    },
  });
}

function quoted({ property, value }: BrokenAt): BrokenAt {
  return {
    ...(property !== undefined && { property }),
    ...(value !== undefined && { value: value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value }),
  };
}
