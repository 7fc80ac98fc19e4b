import { shortName } from '../ontology/term-names.js';

/**
 * How to read a query's answer: compiled when the query is checked and stored with the checked model, so that serving
 * loads no parser.
 */
export interface ReadPlan {
  /** Its subjects: `$resource`, statements of `$record`, a search of the container, or the engine's results. */
  readonly members: 'resource' | 'record' | 'container' | 'engine';
  /** The possible classes of each member; none, for `resource`, means any graph. */
  readonly classes: readonly string[];
  /**
   * Properties that lead from a member to other graphs of its record, which the answer includes whole; undefined when
   * the query must be run.
   */
  readonly along?: readonly string[];
}

export const RUN_AS_IT_STANDS: ReadPlan = { members: 'engine', classes: [] };

/** Prints a plan in one line: `sp:Fulfillment of $record: whole graphs, and those along sp:medication`. */
export function printPlan({ members, classes, along }: ReadPlan): string {
  const names = classes.map(shortName).join(' or ');
  const which = {
    resource: names === '' ? '$resource' : `$resource as ${names} of $record`,
    record: `${names} of $record`,
    container: `every ${names}`,
    engine: 'what the engine finds',
  }[members];
  if (along === undefined) return members === 'engine' ? 'run as it stands' : `${which}: run for the rest`;
  const others = along.length === 0 ? '' : `, and those along ${along.map(shortName).join(' or ')}`;
  return `${which}: whole graphs${others}`;
}
