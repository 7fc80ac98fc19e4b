import { resolve, join } from 'node:path';
import type { Command } from 'commander';
import { loadOntology } from '../../model/ontology/directory.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import { ontologyIri } from '../../records/resource-paths.js';
import { namesIn, unusedTerms, type UnusedTerm } from '../../authoring/trial/term-use.js';
import { withDataOrSeed, withQueries, type NamedSource } from './served-model.js';
import { printJson, write, inProgress, count, visible } from '../output.js';
import { readSettings, type Settings } from '../read-settings.js';
import { readdir, readFile } from 'node:fs/promises';

interface CoverageOptions {
  calls: string;
  check?: boolean;
  json?: boolean;
}

/** `chartgraph ontology coverage`: lists unused terms, and queries that no test calls. */
export function define(command: Command): void {
  command
    .option('--ontology <dir>', 'the ontology (default: the shipped one)')
    .option('--queries <dir>', 'its queries')
    .option('--seed <dir>', 'the data where there is no data directory')
    .option('--calls <dir>', 'where the tests wrote down what they called', 'coverage/calls')
    .option('--check', 'exit 1 unless it is known that every query is called by a test')
    .option('--json', 'print the report as JSON')
    .action(async ({ calls, check, json }: CoverageOptions) => {
      const report = await coverageOf(readSettings(command.optsWithGlobals()), resolve(calls));
      if (check && report.queries.uncalled?.length !== 0) process.exitCode = 1;
      return json ? printJson(report) : write(coverageText(report));
    });
}

async function coverageOf(settings: Settings, folder: string): Promise<Coverage> {
  const loaded = await loadOntology(settings.ontology);
  const { ontology, quads, queries } = await withQueries(loaded, settings.queries);
  const { over, data } = await withDataOrSeed(settings, ontology, async (found) => ({
    over: found.name,
    data: await namesOf(found),
  }));
  const texts = [...queries.values()].map(({ text }) => text);
  const unused = unusedTerms({ ontology, quads, queries: texts, data });
  const called = await readCalled(folder);
  const calls = new Set(called?.flatMap((each) => each.calls));
  return {
    over,
    terms: {
      declared: ontology.terms.size,
      unused: unused.map((term) => ({
        term: shortNameIn(ontology, term.iri),
        title: ontology.codes.get(term.iri)?.title,
        ...term,
      })),
    },
    queries: {
      count: queries.size,
      folder,
      tests: called?.length ?? 0,
      uncalled: called && [...queries.keys()].filter((name) => !calls.has(name)).sort(),
    },
  };
}

/** Collects every IRI in the data, without the published ontology, which names all terms. */
async function namesOf({ source }: NamedSource): Promise<Set<string>> {
  const graphs = source.names().filter((name) => name !== ontologyIri(source.base));
  const names = new Set<string>();
  for await (const graph of inProgress('Reading', graphs))
    for (const name of namesIn(source.graph(graph))) if (!name.startsWith(`${source.base}/`)) names.add(name);
  return names;
}

/** Names of the answered calls of one test file, as recorded by the test harness. */
interface CalledByTest {
  readonly test: string;
  readonly calls: readonly string[];
}

/** Reads what tests called, from a folder with a JSON file per test file; undefined without the folder. */
async function readCalled(folder: string): Promise<CalledByTest[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => readOne(join(folder, name))),
  );
}

async function readOne(path: string): Promise<CalledByTest> {
  const text = await readFile(path, 'utf8');
  try {
    const { test, calls } = JSON.parse(text) as Record<keyof CalledByTest, unknown>;
    if (typeof test === 'string' && Array.isArray(calls) && calls.every((call) => typeof call === 'string'))
      return { test, calls };
  } catch {
    // Reported below.
  }
  throw new Error(`${path} does not say what a test called`);
}

interface NamedTerm {
  readonly term: string;
  readonly title: string | undefined;
}

interface Coverage {
  readonly over: string;
  readonly terms: {
    readonly declared: number;
    readonly unused: readonly (UnusedTerm & NamedTerm)[];
  };
  readonly queries: {
    readonly count: number;
    readonly folder: string;
    readonly tests: number;
    /** Queries that no test called; undefined if nothing was recorded. */
    readonly uncalled: readonly string[] | undefined;
  };
}

function coverageText({ over, terms, queries }: Coverage): string {
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
