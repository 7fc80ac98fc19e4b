import { type CallModel, type Ontology, isA, linkRules } from '../../model/ontology/model.js';
import type { QueryTemplate } from '../../model/query/template.js';
import type { Quad } from '../../rdf/terms.js';
import type { SeedContent } from '../../records/seed.js';
import type { CallTest, Description, Expectation } from './suite.js';
import type { NaiveData } from './naive-data.js';
import { termsOf } from '../../model/query/tokenizer.js';
import { sp } from '../../rdf/vocabulary.js';

export interface SuiteSource {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly base: string;
  readonly content: SeedContent;
  readonly data: NaiveData;
  readonly app: string;
  readonly user: string;
  readonly records: readonly [string, string, ...string[]];
  /** Computes the expected answer of a query that creates its own triples, to be recorded. */
  readonly answered: (call: CallModel, path: Readonly<Record<string, string>>) => Promise<Description>;
  /** Adds a resource to the suite. @returns its path */
  readonly use: (name: string) => string;
  readonly note: (sentence: string) => void;
}

export function caseOf(
  { name: call, method }: CallModel,
  says: string,
  target: string,
  as: string | undefined,
  expect: Expectation,
  more: Partial<Pick<CallTest, 'method' | 'body'>> = {},
): CallTest {
  return { call, says, method, target, ...(as === undefined ? {} : { as }), expect, ...more };
}

export const refused = (status: number) => ({ kind: 'refusal', status }) as const;

/** Adds a query to a path, encoding each value. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${path}?${pairs.join('&')}`;
}

/** Adds the statements of the same record that an answer describes, because the query follows links to them. */
export function withNeighbours(
  call: CallModel,
  query: QueryTemplate,
  members: readonly string[],
  data: NaiveData,
): string[] {
  const followed = followedLinks(call, query, data);
  const all = members.flatMap((name) => {
    const owner = data.values(name, sp.belongsTo)[0]?.value;
    const linked = followed.flatMap((property) => data.values(name, property).map(({ value }) => value));
    const isOwn = (other: string): boolean =>
      owner !== undefined && data.values(other, sp.belongsTo).some(({ value }) => value === owner);
    return [name, ...linked.filter(isOwn)];
  });
  return [...new Set(all)].sort();
}

function followedLinks(call: CallModel, query: QueryTemplate, { ontology }: NaiveData): string[] {
  const named = new Set(termsOf(query.text).map(({ iri }) => iri));
  return linksOf(call, ontology).filter((property) => named.has(property));
}

/** Returns the properties that link statements of a call's class, or a subclass, to other statements. */
function linksOf({ target }: CallModel, ontology: NaiveData['ontology']): string[] {
  const classes = [...ontology.classes.values()].filter(({ iri }) => isA(ontology, iri, target));
  return [
    ...new Set(classes.flatMap((each) => linkRules(ontology, each).map(({ property }) => property))),
  ].filter((property) => property !== sp.belongsTo);
}

/** Returns links of a call's class that its query does not follow, to report to its author. */
export function unfollowedLinks(call: CallModel, query: QueryTemplate, data: NaiveData): string[] {
  const followed = followedLinks(call, query, data);
  const instances = data.instances(call);
  const used = (property: string): boolean =>
    instances.some((name) => data.values(name, property).length > 0);
  return linksOf(call, data.ontology).filter((property) => !followed.includes(property) && used(property));
}

/** Whether a query copies graphs, and creates no triples of its own. */
export function isCopying(query: QueryTemplate): boolean {
  return /CONSTRUCT\s*\{\s*\?\w+\s+\?\w+\s+\?\w+\s*\.?\s*\}/i.test(query.text);
}
