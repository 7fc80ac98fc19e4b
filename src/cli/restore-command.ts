import { closeSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import { restoreBackup } from '../store/backup/backup.js';
import { checkBackupFile } from '../store/backup/backup-file.js';
import type { BackupKey } from '../store/backup/backup-key.js';
import { inspectDirectory } from '../store/disk/marker.js';
import { checkText } from '../store/relative-text.js';
import { backupKey, PASSPHRASE_OPTION } from './backup-command.js';
import { withData } from './open-data.js';
import { complain, count, print, withProgress } from './output.js';
import { readSettings } from './read-settings.js';

/** `chartgraph restore`: replaces everything by a backup, in one transaction, also while a server runs. */
export function define(command: Command): void {
  command
    .argument('<file>', 'what chartgraph backup wrote')
    .option(...PASSPHRASE_OPTION)
    .addHelpText(
      'after',
      '\nEverything in the data directory is replaced. Its secret key stays as it is. Tokens, sessions, consents and webhooks\ncome back only where they are there now: what was revoked stays revoked, and in a new directory apps and analysts\nask again. Users do not get back records that were taken from them. Passwords are those of the backup.',
    )
    .action(async (file: string, { passphraseFile }: { passphraseFile?: string }) => {
      const settings = readSettings(command.optsWithGlobals());
      // First, so that an invalid file leaves no empty data directory behind.
      const key = await check(file, settings.data, passphraseFile);
      const isNew = (await inspectDirectory(settings.data)) !== 'ready';
      await withData({ ...settings, create: true }, async ({ directory }) => {
        const before = Buffer.from(directory.accountKey);
        const entries = await withProgress('Restoring', undefined, (progress) =>
          restoreBackup(directory, file, { key, checkGraph: checkText, progress }),
        );
        await print(`Restored ${count(entries, 'entry', 'entries')} from ${file}.`);
        // A running server still uses the account key that it read at its start.
        if (!isNew && !before.equals(directory.accountKey)) {
          const servers = settings.store ? 'every gateway' : `the server of ${settings.data}, if one runs,`;
          complain(
            `warning: the backup was made of another data directory: restart ${servers} before anybody signs in.`,
          );
        }
      });
    });
}

/** Returns the key of the backup. @throws DataDirectoryError when it cannot be restored */
async function check(file: string, data: string, passphraseFile: string | undefined): Promise<BackupKey> {
  const fd = openSync(file, 'r');
  try {
    const found = await backupKey(data, passphraseFile).catch((reason: unknown) => reason as Error);
    checkBackupFile(fd, file, () => {
      if (found instanceof Error) throw found;
      return found;
    });
    return found as BackupKey;
  } finally {
    closeSync(fd);
  }
}
