import { json } from 'node:stream/consumers';
import { CLASS_COUNTS, frequentValues, propertyCounts } from '../../analysts/schema-queries.js';
import type { ClassCounts, PropertyCounts } from '../../pages/schema-counts.js';
import type { ClassModel, Ontology } from '../../ontology/model.js';
import { rdf } from '../../rdf/vocabulary.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { RequestContext } from '../request-context.js';
import type { Analyst } from './analyst.js';
import { recordedQuery } from './recorded-query.js';
import type { SparqlParts } from './sparql-routes.js';

/** What counts are made with. */
export interface SchemaParts extends SparqlParts {
  readonly ontology: Ontology;
  readonly primary: Pick<PrimaryStore, 'revision'>;
}

/** Examples of a property that are shown. */
const SHOWN = 3;

type Row = Readonly<Partial<Record<string, { readonly value: string }>>>;

/** What was counted at which revision. */
interface Counted<T> {
  readonly revision: number;
  readonly value: T;
}

/**
 * Counts what the data is like at the de-identified level. What was counted is held until the data changes, so that it
 * is one query for all who look; each query is recorded as of whoever made it necessary.
 */
export class SchemaCounter {
  readonly #parts: SchemaParts;
  #classes: Counted<ClassCounts> | undefined;
  readonly #properties = new Map<string, Counted<PropertyCounts>>();

  constructor(parts: SchemaParts) {
    this.#parts = parts;
  }

  /** How many instances each class of the ontology has. @throws Problem as any query */
  async classes(request: RequestContext, analyst: Analyst): Promise<ClassCounts> {
    if (this.#isCurrent(this.#classes)) return this.#classes.value;
    const { rows, revision } = await this.#ask(request, analyst, CLASS_COUNTS);
    const value = countsBy(rows, 'class', (iri) => this.#parts.ontology.classes.has(iri));
    this.#classes = { revision, value };
    return value;
  }

  /** What the instances of a class have. @throws Problem as any query */
  async properties(request: RequestContext, analyst: Analyst, of: ClassModel): Promise<PropertyCounts> {
    const held = this.#properties.get(of.iri);
    if (this.#isCurrent(held)) return held.value;
    const { rows, revision } = await this.#ask(request, analyst, propertyCounts(of));
    const frequent = frequentValues(this.#parts.ontology, of);
    const values = frequent === undefined ? [] : (await this.#ask(request, analyst, frequent)).rows;
    const value: PropertyCounts = {
      present: countsBy(rows, 'property', (iri) => iri !== rdf.type),
      examples: examplesIn(values),
    };
    this.#properties.set(of.iri, { revision, value });
    return value;
  }

  #isCurrent<T>(counted: Counted<T> | undefined): counted is Counted<T> {
    return counted?.revision === this.#parts.primary.revision('');
  }

  async #ask(
    request: RequestContext,
    analyst: Analyst,
    sparql: string,
  ): Promise<{ rows: readonly Row[]; revision: number }> {
    // Never more than everybody is shown, whatever the token says.
    const own: Analyst = { ...analyst, level: 'deidentified' };
    const { head, body } = await recordedQuery(this.#parts, request, own, {
      sparql,
      formats: { rows: 'json', graph: undefined },
      purpose: 'the schema of the workbench',
    });
    const { results } = (await json(body)) as { results: { bindings: Row[] } };
    return { rows: results.bindings, revision: head.revision };
  }
}

function countsBy(
  rows: readonly Row[],
  column: string,
  isWanted: (iri: string) => boolean,
): Record<string, number> {
  const counts = rows.map((row): [string, number] => [row[column]?.value ?? '', Number(row['n']?.value)]);
  return Object.fromEntries(counts.filter(([iri]) => isWanted(iri)));
}

function examplesIn(rows: readonly Row[]): Record<string, string[]> {
  const examples = new Map<string, string[]>();
  for (const { property, value } of rows) {
    if (!property || !value) continue;
    const known = examples.get(property.value) ?? [];
    if (known.length < SHOWN) examples.set(property.value, [...known, value.value]);
  }
  return Object.fromEntries(examples);
}
