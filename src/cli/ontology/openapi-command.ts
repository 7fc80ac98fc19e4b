import type { Command } from 'commander';
import { write, complain } from '../output.js';
import { loadAnalyses } from '../../model/analyses/read-analysis.js';
import { mappingOf } from '../../authoring/docs-model/mapping-doc.js';
import { documentModel, type DerivedDocumentation } from '../../authoring/derive-documentation.js';
import { checkOntology } from '../../model/check/check.js';
import { loadOntology } from '../../model/ontology/directory.js';
import { loadQueries } from '../../model/query/load-queries.js';
import { CommandError, lineOf } from '../command-errors.js';
import { packageVersion } from '../package.js';
import { baseUrlOf, readSettings } from '../read-settings.js';

export function define(command: Command): void {
  defineDocumented(command).action(async () => {
    const documents = await documented(command, []);
    await write(await documents.openApi());
  });
}

export function defineDocumented(command: Command): Command {
  return command
    .option('--ontology <dir>', 'the ontology (default: the shipped one)')
    .option('--queries <dir>', 'the queries that answer its calls (default: the shipped ones)')
    .option(
      '--seed <dir>',
      'what examples are made from, invented patients alone (default: the shipped seed)',
    )
    .option('--no-seed', 'leave examples out');
}

/** @param served further paths @throws CommandError for an ontology that could not be served: it would lack calls */
export async function documented(command: Command, served: readonly string[]): Promise<DerivedDocumentation> {
  const settings = readSettings(command.optsWithGlobals());
  const loaded = await loadOntology(settings.ontology);
  const [fault] = checkOntology(loaded.ontology, loaded.quads).filter(({ severity }) => severity === 'error');
  if (fault) {
    throw new CommandError(
      `The ontology has errors: ${fault.subject} ${fault.message} (${fault.rule}); see chartgraph validate.`,
    );
  }
  const queries = await loadQueries(settings.queries, loaded.ontology);
  const analyses = await loadAnalyses(settings.queries, loaded.ontology);
  const { name, description, containerAccess = 'open', seed } = settings;
  return documentModel(
    { ...loaded, queries, analyses, mapping: mappingOf(settings.queries, loaded.ontology) },
    {
      base: baseUrlOf(settings),
      name,
      description,
      containerAccess,
      version: packageVersion(),
      // No folder has this name: without a seed there are no examples.
      seed: seed === false ? '' : seed,
      served,
      onFault: (error) => complain(`there are no examples: ${lineOf(error)}`),
    },
  );
}
