import { html, type Html } from '../html.js';

/** The part of the first page about queries over all records. Answers that are cut, and queries that were ended, link to it. */
export function analystSection(): Html[] {
  return [
    html`<p>
      Analysts ask SPARQL 1.1 queries over all records at <code>/sparql</code>, where the container answers
      them, with a bearer token. People are not named in what they see, unless an administrator gave more.
    </p>`,
    html`<p>
      An answer has a largest number of rows. Where there are more, <code>Chartgraph-Truncated</code> is
      <code>true</code> and <code>Chartgraph-Rows</code> says how many were sent. Either let the query count
      and group, or ask for one part after the other with <code>LIMIT</code> and <code>OFFSET</code>. The
      parts fit together only where <code>ORDER BY</code> names so many variables that no two rows are alike,
      and where <code>Chartgraph-Revision</code> is the same for all of them.
    </p>`,
    html`<p>
      A query that takes too long or too much memory is ended with <code>query-limit</code>. Name the class
      and the record first, filter within the pattern that a filter is about, and ask for fewer columns;
      <code>explain=true</code> beside the query tells at which step its rows become many.
    </p>`,
  ];
}
