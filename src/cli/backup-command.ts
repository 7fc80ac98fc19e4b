import type { Command } from 'commander';
import { writeBackup } from '../disk/backup.js';
import { withData } from './open-data.js';
import { count, print } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

/** `chartgraph backup`: one file with everything but the secret key, while a server may go on writing. */
export function define(command: Command): void {
  command
    .argument('<file>', 'where to write the backup; a file that is there is replaced by a complete one')
    .addHelpText(
      'after',
      '\nThe secrets in a backup stay encrypted, and the key is not part of it: keep DATA/secret.key (or\nCHARTGRAPH_SECRET_KEY) in another safe place.',
    )
    .action(async (file: string) => {
      await withData(readSettings(command.optsWithGlobals()), async ({ directory }) => {
        const progress = await startProgress('Backing up');
        const entries = await writeBackup(directory, file, (done) => progress.at(done)).finally(() =>
          progress.stop(),
        );
        await print(`Wrote ${count(entries, 'entry', 'entries')} to ${file}.`);
      });
    });
}
