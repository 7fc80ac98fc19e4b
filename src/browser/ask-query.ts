import type { QueryExplanation } from '../analysts/explain/explanation.js';
import type { Row } from './cells.js';
import { warningsIn, type Remark } from './remarks.js';

/** What is said of an answer before its first row. */
export interface Facts {
  readonly rows: number;
  readonly revision: string;
  readonly level: string;
  readonly isCut: boolean;
  /** Of terms that nothing has. */
  readonly warnings: readonly Remark[];
  /** Milliseconds until all of it was here. */
  readonly ms: number;
}

/** What comes of a query. */
export type Outcome =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly Row[];
      readonly raw: string;
      readonly facts: Facts;
    }
  | { readonly kind: 'boolean'; readonly answer: boolean; readonly facts: Facts }
  | { readonly kind: 'graph'; readonly turtle: string; readonly facts: Facts }
  | { readonly kind: 'explanation'; readonly explanation: QueryExplanation; readonly facts: Facts }
  | { readonly kind: 'refused'; readonly message: string; readonly remarks: readonly Remark[] }
  | { readonly kind: 'cancelled' };

interface Results {
  readonly head: { readonly vars?: readonly string[] };
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Row[] };
}

interface ProblemDocument {
  readonly title?: string;
  readonly detail?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A query with its purpose, and whether to tell how it comes to its answer in the place of that. */
export interface AskedInBrowser {
  readonly query: string;
  readonly purpose: string;
  readonly explain: boolean;
}

const ACCEPT = 'application/sparql-results+json, text/turtle';

/**
 * Asks a query with the session of the browser (SPARQL 1.1 Protocol §2.1.2).
 * @param signal closes the connection, which ends the query
 */
export async function askQuery(
  address: string,
  { query, purpose, explain }: AskedInBrowser,
  signal: AbortSignal,
): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { Accept: ACCEPT },
      body: new URLSearchParams({
        query,
        ...(purpose !== '' && { purpose }),
        ...(explain && { explain: 'true' }),
      }),
      signal,
    });
    const text = await response.text();
    if (!response.ok) return refused(response.status, text);
    const facts = factsOf(response, performance.now() - start);
    if (response.headers.get('Content-Type')?.startsWith('text/turtle')) {
      return { kind: 'graph', turtle: text, facts };
    }
    if (explain) return { kind: 'explanation', explanation: JSON.parse(text) as QueryExplanation, facts };
    const { head, boolean, results } = JSON.parse(text) as Results;
    if (boolean !== undefined) return { kind: 'boolean', answer: boolean, facts };
    return { kind: 'rows', columns: head.vars ?? [], rows: results?.bindings ?? [], raw: text, facts };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    if (!(error instanceof TypeError)) throw error;
    const message = 'The container did not answer; look at the connection and run the query again.';
    return { kind: 'refused', message, remarks: [] };
  }
}

function refused(status: number, text: string): Outcome {
  if (status === 401) {
    const message =
      'You are signed out; load the page again and sign in. The query stays in the list of queries.';
    return { kind: 'refused', message, remarks: [] };
  }
  const { title = 'The query was refused', detail, line, column } = problemIn(text);
  const message = detail ?? title;
  const remarks: Remark[] =
    line === undefined ? [] : [{ severity: 'error', message, line, column: column ?? 1 }];
  return { kind: 'refused', message, remarks };
}

function problemIn(text: string): ProblemDocument {
  try {
    return JSON.parse(text) as ProblemDocument;
  } catch {
    return {};
  }
}

function factsOf({ headers }: Response, ms: number): Facts {
  return {
    rows: Number(headers.get('Chartgraph-Rows')),
    revision: headers.get('Chartgraph-Revision') ?? '',
    level: headers.get('Chartgraph-Level') ?? '',
    isCut: headers.get('Chartgraph-Truncated') === 'true',
    warnings: warningsIn(headers.get('Warning') ?? ''),
    ms,
  };
}
