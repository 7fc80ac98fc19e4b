import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadOntology, type LoadedOntology } from '../../model/ontology/directory.js';
import { tryOntology, type CallTrial } from '../../authoring/trial/trial.js';
import { paintOn, printJson, write, withProgress } from '../output.js';
import { limitNumber, recordId } from '../argument-values.js';
import { splitDocuments, tripleText, trialText } from './trial-text.js';
import { withDataOrSeed, describedBy, withQueries } from './served-model.js';
import { onLayers } from './source.js';
import { readSettings } from '../read-settings.js';

interface TryOptions {
  queries?: string[];
  record?: string;
  limit: number;
  json?: boolean;
}

/** `chartgraph ontology try`: shows what every GET call would answer differently, without writing. */
export function define(command: Command): void {
  command
    .argument(
      '<new...>',
      'the ontology to try, the lowest layer first: folders, Turtle files or git revisions such as HEAD:ontology; a layer alone is put on the ontology in use',
    )
    .option('--queries <dir>', 'the queries that go with it (default: those of the settings)')
    .option('--ontology <dir>', 'the ontology in use, instead of the shipped one')
    .option('--record <id>', 'try the calls of this record alone, and those of none', recordId)
    .option('--limit <n>', 'the most requests of each call', limitNumber, 100)
    .option('--json', 'print the result as JSON')
    .action(async (sources: string[], { queries, record, limit, json }: TryOptions) => {
      const { queries: _, ...flags } = command.optsWithGlobals();
      const settings = readSettings(flags);
      const inUse = await loadOntology(settings.ontology);
      const old = await withQueries(inUse, settings.queries);
      const now = await withQueries(
        await layered(inUse, sources),
        queries ?? withOwn([settings.queries].flat(), sources),
      );
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

async function layered(inUse: LoadedOntology, sources: readonly string[]): Promise<LoadedOntology> {
  let loaded = inUse;
  for (const source of sources) loaded = await onLayers(loaded, source);
  return loaded;
}

/** Adds the queries of layers that are not in use yet. */
function withOwn(inUse: readonly string[], sources: readonly string[]): string[] {
  const own = sources.map((source) => resolve(source, 'queries')).filter((folder) => existsSync(folder));
  return [...new Set([...inUse, ...own])];
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
