import { readableUnit } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { worstFlag, type Flag } from './flag.js';
import type { ShownStatement } from './shown-statement.js';
import { measureTitle } from './trends.js';

/** One line of a table of results. */
export interface Result {
  readonly iri: string;
  readonly test: string;
  /** What makes results comparable: of one test, by its code, in one unit. */
  readonly key: string;
  readonly value: string;
  readonly unit: string;
  readonly range: string;
  readonly flag?: Flag | undefined;
  readonly date: string;
  /** Whether trends draw it. */
  readonly isDrawn: boolean;
}

/** Returns the results of a statement: one for each thing measured, such as a blood pressure, or its text. */
export function resultsOf(statement: ShownStatement): Result[] {
  const { iri, title, code, date = '', flag, summary, model, quantities } = statement;
  const drawn = quantities.filter(({ trend }) => trend !== 'target');
  const what = model.shown.title.length > 0 ? (code ?? title) : '';
  const result = { iri, date };
  if (drawn.length === 0) {
    const value = summary.join(' · ');
    return value === '' && !flag
      ? []
      : [{ ...result, test: title, key: what, value, unit: '', range: '', flag, isDrawn: false }];
  }
  const groups = [...groupedBy(drawn, ({ chart, unit }) => JSON.stringify([chart, unit]))];
  return groups.map(([key, group]) => {
    const [{ chart, unit, normal } = { chart: '', unit: '' }] = group;
    return {
      ...result,
      test: measureTitle(statement, drawn, chart),
      key: what + key,
      value: group.map(({ text }) => text).join('/'),
      unit: readableUnit(unit),
      range: normal?.text ?? '',
      // What the statement says of itself counts for its only number.
      flag: groups.length === 1 ? flag : worstFlag(group, []),
      isDrawn: true,
    };
  });
}
