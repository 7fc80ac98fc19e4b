import { json } from 'node:stream/consumers';
import type { ClassCounts, PropertyCounts } from '../workbench/workbench-data.js';
import type { ClassModel, Ontology } from '../../model/ontology/model.js';
import { rdf } from '../../rdf/vocabulary.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Analyst } from '../../http/analyst.js';
import { recordedQuery } from './analyst-client.js';
import type { SparqlParts } from './sparql-routes.js';
import { writeTerm } from '../../rdf/ntriples.js';
import { namedNode } from '../../rdf/terms.js';

export interface SchemaParts extends SparqlParts {
  readonly ontology: Ontology;
}

const MAX_EXAMPLES = 3;

type Row = Readonly<Partial<Record<string, { readonly value: string }>>>;

interface Counted<T> {
  readonly revision: number;
  readonly value: T;
}

/** Counts the de-identified data, and caches counts until it changes. Queries are recorded for the analyst. */
export class SchemaCounter {
  #classes: Counted<ClassCounts> | undefined;
  readonly #properties = new Map<string, Counted<PropertyCounts>>();

  constructor(private readonly parts: SchemaParts) {}

  /** Counts the instances of each class of the ontology. @throws Problem as any query */
  async classes(request: RequestContext, analyst: Analyst): Promise<ClassCounts> {
    const counted = this.#classes;
    if (counted && (await this.#isCurrent(counted))) return counted.value;
    const { rows, revision } = await this.#ask(request, analyst, CLASS_COUNTS);
    const value = countsBy(rows, 'class', (iri) => this.parts.ontology.classes.has(iri));
    this.#classes = { revision, value };
    return value;
  }

  /** Counts the properties of a class's instances. @throws Problem as any query */
  async properties(request: RequestContext, analyst: Analyst, of: ClassModel): Promise<PropertyCounts> {
    const held = this.#properties.get(of.iri);
    if (held && (await this.#isCurrent(held))) return held.value;
    const { rows, revision } = await this.#ask(request, analyst, propertyCounts(of));
    const frequent = frequentValues(this.parts.ontology, of);
    const values = frequent === undefined ? [] : (await this.#ask(request, analyst, frequent)).rows;
    const value: PropertyCounts = {
      present: countsBy(rows, 'property', (iri) => iri !== rdf.type),
      examples: examplesIn(values),
    };
    this.#properties.set(of.iri, { revision, value });
    return value;
  }

  /** Compares with the engine's revision, which may lag behind the container's. */
  async #isCurrent(counted: Counted<unknown>): Promise<boolean> {
    return counted.revision === (await this.parts.client.states()).deidentified.revision;
  }

  async #ask(request: RequestContext, analyst: Analyst, sparql: string) {
    // Counts are shared, so they use the de-identified level whatever the token allows.
    const own: Analyst = { ...analyst, level: 'deidentified' };
    const { head, body } = await recordedQuery(this.parts, request, own, {
      sparql,
      formats: { rows: 'json', graph: undefined },
      purpose: 'the schema of the workbench',
    });
    const { results } = (await json(body)) as { results: { bindings: Row[] } };
    return { rows: results.bindings, revision: head.revision };
  }
}

function countsBy(rows: readonly Row[], column: string, isWanted: (iri: string) => boolean) {
  const counts = rows.map((row): [string, number] => [row[column]?.value ?? '', Number(row['n']?.value)]);
  return Object.fromEntries(counts.filter(([iri]) => isWanted(iri)));
}

function examplesIn(rows: readonly Row[]): Record<string, string[]> {
  const examples = new Map<string, string[]>();
  for (const { property, value } of rows) {
    if (!property || !value) continue;
    const known = examples.get(property.value) ?? [];
    if (known.length < MAX_EXAMPLES) examples.set(property.value, [...known, value.value]);
  }
  return Object.fromEntries(examples);
}

/** A value of fewer instances might identify one. */
const MIN_INSTANCES = 3;
const MAX_VALUES = 500;

const CLASS_COUNTS = 'SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class';

/** Counts the instances of a class with each property: rows of `property` and `n`. */
function propertyCounts({ iri }: Pick<ClassModel, 'iri'>): string {
  return `SELECT ?property (COUNT(DISTINCT ?s) AS ?n) { ?s a ${written(iri)} ; ?property ?o } GROUP BY ?property`;
}

/**
 * Selects frequent values of a class's instances, and titles of linked nodes: rows of `property`, `value` and `n`, most
 * frequent first. Only impersonal properties, and only values of several instances; undefined if there are none.
 */
function frequentValues(ontology: Ontology, of: ClassModel): string | undefined {
  const own = [...of.rules.keys()].filter((property) => isDisclosed(ontology, of, property));
  const titled = [...of.rules.values()].flatMap(({ property, classes }) =>
    classes.flatMap((iri) =>
      titlesOf(ontology, iri).map((title) => `(${written(property)} ${written(title)})`),
    ),
  );
  const branches = [
    ...(own.length > 0 ? [`{ VALUES ?property { ${own.map(written).join(' ')} } ?s ?property ?value }`] : []),
    ...(titled.length > 0
      ? [`{ VALUES (?property ?title) { ${titled.join(' ')} } ?s ?property ?node . ?node ?title ?value }`]
      : []),
  ];
  if (branches.length === 0) return undefined;
  return `SELECT ?property ?value (COUNT(*) AS ?n) {
  ?s a ${written(of.iri)} .
  ${branches.join('\n  UNION ')}
} GROUP BY ?property ?value HAVING (COUNT(*) >= ${MIN_INSTANCES}) ORDER BY DESC(?n) ?value LIMIT ${MAX_VALUES}`;
}

function titlesOf(ontology: Ontology, iri: string): string[] {
  const of = ontology.classes.get(iri);
  return of ? of.shown.title.filter((title) => isDisclosed(ontology, of, title)) : [];
}

/** Whether a property's literals are impersonal on a class. */
function isDisclosed({ properties }: Ontology, { impersonal }: ClassModel, property: string): boolean {
  const { identifying, kind } = properties.get(property) ?? {};
  return kind === 'datatype' && (identifying === 'none' || impersonal.includes(property));
}

const written = (iri: string): string => writeTerm(namedNode(iri));
