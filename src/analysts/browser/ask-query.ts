import type { Row } from './cells.js';

export interface Facts {
  readonly rows: number;
  readonly revision: string;
  readonly level: string;
  readonly isCut: boolean;
  readonly warnings: readonly Remark[];
  readonly ms: number;
}

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

const ACCEPT = 'application/sparql-results+json, text/turtle';

/** Sends a query with the browser's session (SPARQL 1.1 Protocol §2.1.2). @param signal ends the query */
export async function askQuery(
  address: string,
  { query, purpose }: { readonly query: string; readonly purpose: string },
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
      }),
      signal,
    });
    const text = await response.text();
    if (!response.ok) return refused(response.status, text);
    const facts = factsOf(response, performance.now() - start);
    if (response.headers.get('Content-Type')?.startsWith('text/turtle')) {
      return { kind: 'graph', turtle: text, facts };
    }
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

/** A problem at a position in a text; line and column start at 1. */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Reads the warnings with a position from the header field: `199 - "line 1, column 2: …"`, separated by commas. */
export function warningsIn(field: string): Remark[] {
  return [...field.matchAll(/199 - "((?:[^"\\]|\\.)*)"/gu)].flatMap(([, quoted = '']) => {
    const text = quoted.replaceAll(/\\(.)/gu, '$1');
    const [, line, column, message] = /^line (\d+), column (\d+): (.*)$/su.exec(text) ?? [];
    if (line === undefined || column === undefined || message === undefined) return [];
    return [{ severity: 'warning' as const, message, line: Number(line), column: Number(column) }];
  });
}
