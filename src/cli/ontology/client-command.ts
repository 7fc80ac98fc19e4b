import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadAnalyses } from '../../model/analyses/read-analysis.js';
import { clientSource } from '../../authoring/client-source/client-source.js';
import { checkOntology } from '../../model/check/check.js';
import { loadOntology, type Folders } from '../../model/ontology/directory.js';
import { CommandError } from '../command-errors.js';
import { count, print, write } from '../output.js';
import { readSettings } from '../read-settings.js';

/** `chartgraph ontology client`: writes the TypeScript client of an ontology. */
export function define(command: Command): void {
  command
    .argument('[file]', 'where to write it (default: print it)')
    .option('--ontology <dir>', 'the ontology (default: the shipped one)')
    .option('--queries <dir>', 'whose analyses it has methods for (default: the shipped ones)')
    .option('--import-from <module>', 'what the module stands on', 'chartgraph/client')
    .action(async (file: string | undefined, { importFrom }: { importFrom: string }) => {
      const settings = readSettings(command.optsWithGlobals());
      const { ontology } = await loadChecked(settings.ontology);
      const analyses = [...(await loadAnalyses(settings.queries, ontology)).values()];
      const source = clientSource(ontology, { from: importFrom, analyses });
      if (file === undefined) return write(source);
      await writeFile(file, source);
      const calls = count(ontology.calls.length, 'call');
      return print(
        `Wrote a client of ${calls} and ${count(analyses.length, 'analysis', 'analyses')} to ${file}.`,
      );
    });
}

/** @throws CommandError for an ontology that could not be served: its client would lack calls */
async function loadChecked(folders: Folders): ReturnType<typeof loadOntology> {
  const loaded = await loadOntology(folders);
  const [fault, ...others] = checkOntology(loaded.ontology, loaded.quads).filter(
    ({ severity }) => severity === 'error',
  );
  if (!fault) return loaded;
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other error')}`;
  throw new CommandError(
    `The ontology has errors: ${fault.subject} ${fault.message} (${fault.rule})${more}; see chartgraph validate.`,
  );
}
