import { loadAnalyses } from '../../analysts/analyses/load-analyses.js';
import type { Command } from 'commander';
import { mappingOf } from '../../read-model.js';
import { documentModel, type DerivedDocumentation } from '../../document-model.js';
import { checkOntology } from '../../ontology/check/check.js';
import { loadOntology } from '../../ontology/directory.js';
import { loadQueries } from '../../query/load-queries.js';
import { CommandError, lineOf } from '../command-errors.js';
import { packageVersion } from '../package.js';
import { baseUrlOf, readSettings } from '../settings.js';
import { complain } from '../output.js';

/** Gives a command that documents an ontology its options. */
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

/**
 * The documentation of the ontology that the options of a command name.
 * @param served paths that stand beside it
 * @throws CommandError for an ontology that could not be served: its calls would be incomplete
 */
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
      // No folder is called so: without a seed there are no examples.
      seed: seed === false ? '' : seed,
      served,
      onFault: (error) => complain(`there are no examples: ${lineOf(error)}`),
    },
  );
}
