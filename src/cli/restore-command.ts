import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { openAccounts } from '../accounts/accounts.js';
import { KEY_FILE, loadSecretKey } from '../accounts/key.js';
import { restoreBackup } from '../disk/backup.js';
import { checkBackupFile } from '../disk/backup-file.js';
import { withData, type OpenData } from './open-data.js';
import { lineOf } from './command-errors.js';
import { complain, count, print } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

/** `chartgraph restore`: a backup in the place of everything, in one transaction; a server may go on running. */
export function define(command: Command): void {
  command
    .argument('<file>', 'what chartgraph backup wrote')
    .addHelpText('after', '\nEverything in the data directory is replaced. Its secret key stays as it is.')
    .action(async (file: string) => {
      const settings = readSettings(command.optsWithGlobals());
      // Before anything is made: a file that is no backup must not leave an empty data directory behind.
      check(file);
      await withData(
        settings,
        async ({ directory }) => {
          const progress = await startProgress('Restoring');
          const entries = await restoreBackup(directory, file, (done) => progress.at(done)).finally(() =>
            progress.stop(),
          );
          await print(`Restored ${count(entries, 'entry', 'entries')} from ${file}.`);
          await tryKey(directory);
        },
        { create: true },
      );
    });
}

function check(file: string): void {
  const fd = openSync(file, 'r');
  try {
    checkBackupFile(fd, file);
  } finally {
    closeSync(fd);
  }
}

/** Says at once when the secrets that came back cannot be opened with the key that is here. */
async function tryKey(directory: OpenData['directory']): Promise<void> {
  const place = join(directory.dir, KEY_FILE);
  const given = process.env['CHARTGRAPH_SECRET_KEY'] ?? '';
  if (given === '' && !existsSync(place)) {
    complain(
      `warning: put the key of the directory that was backed up at ${place}, or no app can sign and nobody sign in.`,
    );
    return;
  }
  try {
    openAccounts(directory, await loadSecretKey(directory.dir, process.env));
  } catch (error) {
    complain(`warning: ${lineOf(error)}`);
  }
}
