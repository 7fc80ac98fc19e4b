import type { Command } from 'commander';
import { loadOntology } from '../../ontology/directory.js';
import { tryOntology, type CallTrial } from '../../records/trial/trial.js';
import { paintOn } from '../colour.js';
import { limitNumber, recordId } from '../argument-values.js';
import { splitDocuments } from './json-difference.js';
import { withDataOrSeed } from './data-or-seed.js';
import { readOntologySource } from './source.js';
import { printJson, write } from '../output.js';
import { packageVersion } from '../package.js';
import { startProgress } from '../progress.js';
import { withQueries } from './served-model.js';
import { readSettings } from '../settings.js';
import { tripleText, trialText } from './trial-text.js';

/** How often each request is made: what a query takes differs from time to time. */
const ROUNDS = 3;

interface TryOptions {
  queries?: string;
  record?: string;
  limit: number;
  json?: boolean;
}

/** `chartgraph ontology try`: what every GET call would answer differently, over the data, without a write. */
export function define(command: Command): void {
  command
    .argument('<new>', 'the ontology to try: a folder, a Turtle file or a git revision such as HEAD:ontology')
    .option('--queries <dir>', 'the queries that go with it (default: those of the settings)')
    .option('--ontology <dir>', 'the ontology in use, instead of the shipped one')
    .option('--record <id>', 'try the calls of this record alone, and those of none', recordId)
    .option('--limit <n>', 'the most requests of each call', limitNumber, 100)
    .option('--json', 'print the result as JSON')
    .action(async (source: string, { queries, record, limit, json }: TryOptions) => {
      const { queries: _, ...flags } = command.optsWithGlobals();
      const settings = readSettings(flags);
      const inUse = await loadOntology(settings.ontology);
      const old = await withQueries(inUse, settings.queries);
      const now = await withQueries(await readOntologySource(source), queries ?? settings.queries);
      const { name, description, admin } = settings;
      const container = { name, description, admin, version: packageVersion() };
      const progress = await startProgress('Asking', now.ontology.calls.length);
      const { trials, over } = await withDataOrSeed(
        settings,
        inUse.ontology,
        async ({ name: over, source: data }) => ({
          over,
          trials: await tryOntology({
            data,
            old,
            now,
            container,
            limit,
            record,
            rounds: ROUNDS,
            onCall: progress.at,
          }),
        }),
      ).finally(() => progress.stop());
      if (trials.some(({ status }) => status === 'failed')) process.exitCode = 1;
      if (json) return printJson({ over, calls: trials.map(asJson) });
      return write(trialText({ over, trials, limit }, paintOn(process.stdout)));
    });
}

function asJson({ differences, ...trial }: CallTrial) {
  return {
    ...trial,
    differences: differences.map((difference) => {
      const { documents, added, removed } = splitDocuments(difference.removed, difference.added);
      return {
        ...difference,
        added: added.map(tripleText),
        removed: removed.map(tripleText),
        ...(documents.length > 0 && { members: documents.flatMap(({ members }) => members) }),
      };
    }),
  };
}
