import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadOntology } from '../../ontology/directory.js';
import { shortName } from '../../ontology/term-names.js';
import { readCalled } from '../../records/usage/called-queries.js';
import { ontologyIri } from '../../records/resource-paths.js';
import { namesIn, unusedTerms } from '../../records/usage/term-use.js';
import { coverageText, type Coverage } from './coverage-text.js';
import { withDataOrSeed, type NamedSource } from './data-or-seed.js';
import { printJson, write } from '../output.js';
import { inProgress } from '../progress.js';
import { withQueries } from './served-model.js';
import { readSettings, type Settings } from '../settings.js';

interface CoverageOptions {
  calls: string;
  check?: boolean;
  json?: boolean;
}

/** `chartgraph ontology coverage`: declared terms that nothing uses, and queries that no test calls. */
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
        term: shortName(term.iri),
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

/** Every IRI in the data but that of the published ontology, which names all terms. */
async function namesOf({ source }: NamedSource): Promise<Set<string>> {
  const graphs = source.names().filter((name) => name !== ontologyIri(source.base));
  const names = new Set<string>();
  for await (const graph of inProgress('Reading', graphs))
    for (const name of namesIn(source.graph(graph))) if (!name.startsWith(`${source.base}/`)) names.add(name);
  return names;
}
