import type { UnusedTerm } from '../../records/usage/term-use.js';
import { count, visible } from '../output.js';

/** How a term is shown: its short name, and the title of a code. */
interface NamedTerm {
  readonly term: string;
  readonly title: string | undefined;
}

/** The report, as `ontology coverage --json` prints it. */
export interface Coverage {
  /** The data that was read. */
  readonly over: string;
  readonly terms: {
    readonly declared: number;
    readonly unused: readonly (UnusedTerm & NamedTerm)[];
  };
  readonly queries: {
    readonly count: number;
    /** Where the tests wrote down what they called, and how many test files did. */
    readonly folder: string;
    readonly tests: number;
    /** Queries that no test called; undefined where nothing was written down. */
    readonly uncalled: readonly string[] | undefined;
  };
}

/** The report for people. */
export function coverageText({ over, terms, queries }: Coverage): string {
  const kinds = [...new Set(terms.unused.map(({ kind }) => kind))];
  const groups = kinds.map((kind) => {
    const own = terms.unused.filter((each) => each.kind === kind);
    const rows = own.map(({ term, title, deprecated }) =>
      visible(`  ${term}${title ? ` ${title}` : ''}${deprecated ? ' (deprecated)' : ''}`),
    );
    return `${kind} (${own.length})\n${rows.join('\n')}`;
  });
  const closing = `${terms.unused.length} of ${count(terms.declared, 'term')} named neither by a query nor by ${visible(over)}.`;
  return `${[...groups, closing, queriesText(queries)].join('\n\n')}\n`;
}

function queriesText({ count: total, folder, tests, uncalled }: Coverage['queries']): string {
  if (uncalled === undefined) {
    return `Which queries tests call is not known: there is no ${visible(folder)}. The tests write it.`;
  }
  const by = `by the tests of ${count(tests, 'file')}`;
  if (uncalled.length === 0) return `All ${count(total, 'query', 'queries')} called ${by}.`;
  const names = uncalled.map((name) => `  ${visible(name)}`).join('\n');
  return `${uncalled.length} of ${count(total, 'query', 'queries')} never called ${by}:\n${names}`;
}
