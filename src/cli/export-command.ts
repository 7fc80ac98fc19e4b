import { Option, type Command } from 'commander';
import { loadOntology } from '../ontology/directory.js';
import { formatNames, type RdfFormat } from '../rdf/formats.js';
import { exportRdf } from '../records/export-data.js';
import { requireData, withData } from './open-data.js';
import { recordId } from './id-arguments.js';
import { write } from './output.js';
import { readSettings } from './settings.js';

/** `chartgraph export`: the records, users and app manifests, or one record, as RDF on stdout. */
export function define(command: Command): void {
  command
    .option('--record <id>', 'only this record', recordId)
    .addOption(
      new Option('--format <fmt>', 'nquads and trig keep the named graphs')
        .choices(formatNames)
        .default('nquads'),
    )
    .option('--purpose <text>', 'why, for the access log')
    .option('--ontology <dir>', 'the ontology of the data instead of the shipped one')
    .action(async ({ record, format }: { record?: string; format: RdfFormat }) => {
      const settings = readSettings(command.optsWithGlobals());
      requireData(settings);
      const { ontology } = await loadOntology(settings.ontology);
      await withData(settings, async ({ primary, base }) => {
        for await (const part of exportRdf({ primary, ontology, base, format, recordId: record }))
          await write(part);
      });
    });
}
