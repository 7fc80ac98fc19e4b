import { json } from 'node:stream/consumers';
import type { Answer } from '../answer.js';
import type { RequestContext } from '../request-context.js';
import type { Analyst } from './analyst.js';
import { recordedQuery } from './recorded-query.js';
import { describedDataset, graphAnswer, type Counts } from './service-description.js';
import type { SparqlParts } from './sparql-routes.js';

/** All that is counted, in one query so that it is of one moment: a row of a kind, an IRI where it is about one, and a number. */
const COUNTS = `SELECT ?kind ?iri ?n {
  { SELECT ("triples" AS ?kind) (COUNT(*) AS ?n) { ?s ?p ?o } }
  UNION { SELECT ("subjects" AS ?kind) (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o } }
  UNION { SELECT ("class" AS ?kind) ?iri (COUNT(DISTINCT ?s) AS ?n) { ?s a ?iri } GROUP BY ?iri }
  UNION { SELECT ("property" AS ?kind) ?iri (COUNT(*) AS ?n) { ?s ?iri ?o } GROUP BY ?iri }
} ORDER BY ?kind ?iri`;

interface CountRow {
  readonly kind: { readonly value: string };
  readonly iri?: { readonly type: string; readonly value: string };
  readonly n: { readonly value: string };
}

/** What the data of the analyst's level is like (VoID): counts, and nothing of anybody. Recorded as any other query. */
export async function datasetDescription(
  parts: SparqlParts,
  request: RequestContext,
  analyst: Analyst,
): Promise<Answer> {
  const { body } = await recordedQuery(parts, request, analyst, {
    sparql: COUNTS,
    formats: { rows: 'json', graph: undefined },
    purpose: analyst.purpose ?? 'in the browser',
  });
  const { results } = (await json(body)) as { results: { bindings: CountRow[] } };
  return graphAnswer(request, describedDataset(parts.base, countsOf(results.bindings)));
}

function countsOf(rows: readonly CountRow[]): Counts {
  const one = (kind: string): number => Number(rows.find((row) => row.kind.value === kind)?.n.value ?? 0);
  const each = (kind: string): [string, number][] =>
    rows.flatMap(({ kind: { value }, iri, n }) =>
      value === kind && iri?.type === 'uri' ? [[iri.value, Number(n.value)]] : [],
    );
  return {
    triples: one('triples'),
    subjects: one('subjects'),
    classes: each('class'),
    properties: each('property'),
  };
}
