import type { Command } from 'commander';
import { loadOntology } from '../../model/ontology/directory.js';
import { tryOntology, type CallTrial } from '../../authoring/trial/trial.js';
import { paintOn, printJson, write, withProgress } from '../output.js';
import { limitNumber, recordId } from '../argument-values.js';
import { splitDocuments, tripleText, trialText } from './trial-text.js';
import { withDataOrSeed, describedBy, withQueries } from './served-model.js';
import { readOntologySource } from './source.js';
import { readSettings } from '../read-settings.js';

interface TryOptions {
  queries?: string;
  record?: string;
  limit: number;
  json?: boolean;
}

/** `chartgraph ontology try`: shows what every GET call would answer differently, without writing. */
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
      const asked = { old, now, container: describedBy(settings), limit, record };
      const { trials, over } = await withProgress('Asking', now.ontology.calls.length, (onCall) =>
        withDataOrSeed(settings, inUse.ontology, async ({ name, source: data }) => ({
          over: name,
          trials: await tryOntology({ ...asked, data, onCall }),
        })),
      );
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
