import type { CallModel, Ontology } from '../ontology/model.js';
import type { QueryTemplate } from '../query/template.js';
import type { Quad } from '../rdf/terms.js';
import type { SeedContent } from '../records/seed.js';
import type { CallTest, Description, Expectation } from './suite.js';
import type { NaiveData } from './naive-data.js';

/** What the tests of a call are derived from. */
export interface SuiteSource {
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly base: string;
  readonly content: SeedContent;
  readonly data: NaiveData;
  readonly app: string;
  readonly user: string;
  /** At least two; the first is the fullest. */
  readonly records: readonly [string, string, ...string[]];
  /** What a query of its own making answers over the seed, to be recorded. */
  readonly answered: (call: CallModel, path: Readonly<Record<string, string>>) => Promise<Description>;
  /** Puts a resource among those of the suite. @returns its path */
  readonly use: (name: string) => string;
  readonly note: (sentence: string) => void;
}

/** Makes one test of a call. */
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

/** A path with a query, each value encoded. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${path}?${pairs.join('&')}`;
}
