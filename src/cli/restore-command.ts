import { closeSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import { keyOf, openAccounts } from '../accounts/accounts.js';
import { restoreBackup } from '../disk/backup.js';
import { checkBackupFile, unsealedBackup } from '../disk/backup-file.js';
import type { BackupKey } from '../disk/backup-key.js';
import { hasSecretKey } from '../disk/key-file.js';
import { inspectDirectory } from '../disk/marker.js';
import { checkText } from '../store/check-text.js';
import { backupKey, PASSPHRASE_OPTION } from './choose-backup-key.js';
import { withData, type OpenData } from './open-data.js';
import { lineOf } from './command-errors.js';
import { complain, count, print } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

interface Options {
  readonly passphraseFile?: string;
  readonly unsealed?: boolean;
}

/** `chartgraph restore`: a backup in the place of everything, in one transaction; a server may go on running. */
export function define(command: Command): void {
  command
    .argument('<file>', 'what chartgraph backup wrote')
    .option(...PASSPHRASE_OPTION)
    .option(
      '--unsealed',
      'take a backup of version 0.2 or before, which is not sealed: anybody could have written it',
    )
    .addHelpText(
      'after',
      '\nEverything in the data directory is replaced. Its secret key stays as it is. Tokens, sessions, consents and webhooks\ncome back only where they are there now: what was revoked stays revoked, and in a new directory apps and analysts\nask again. Passwords are those of the backup.',
    )
    .action(async (file: string, { passphraseFile, unsealed }: Options) => {
      const settings = readSettings(command.optsWithGlobals());
      // Before anything is made: a file that is no backup must not leave an empty data directory behind.
      const key = await check(file, settings.data, passphraseFile, unsealed);
      const isNew = (await inspectDirectory(settings.data)) !== 'ready';
      await withData(
        settings,
        async ({ directory }) => {
          const before = Buffer.from(directory.accountKey);
          const progress = await startProgress('Restoring');
          const entries = await restoreBackup(directory, file, {
            ...(key && { key }),
            unsealed: unsealed ? () => warnOfUnsealed(file) : undefined,
            checkGraph: checkText,
            progress: (done) => progress.at(done),
          }).finally(() => progress.stop());
          await print(`Restored ${count(entries, 'entry', 'entries')} from ${file}.`);
          if (!key) tryKey(directory);
          // What an open server has read of accounts it reads with the key that it started with.
          if (!isNew && !before.equals(directory.accountKey)) {
            const servers = settings.store ? 'every gateway' : `the server of ${settings.data}, if one runs,`;
            complain(
              `warning: the backup was made of another data directory: restart ${servers} before anybody signs in.`,
            );
          }
        },
        { create: true },
      );
    });
}

/** What opens the backup; undefined for one of before 0.3, which is not sealed. */
async function check(
  file: string,
  data: string,
  passphraseFile: string | undefined,
  unsealed = false,
): Promise<BackupKey | undefined> {
  const fd = openSync(file, 'r');
  try {
    const hasKey = passphraseFile !== undefined || (await hasSecretKey(data, process.env));
    const key = hasKey ? await backupKey(data, passphraseFile) : undefined;
    const missing = hasKey
      ? undefined
      : await backupKey(data, undefined).catch((reason: unknown) => reason as Error);
    const isSealed = checkBackupFile(fd, file, () => {
      if (!key) throw missing as Error;
      return key;
    });
    if (!isSealed && !unsealed) throw unsealedBackup(file);
    return isSealed ? key : undefined;
  } finally {
    closeSync(fd);
  }
}

function warnOfUnsealed(file: string): void {
  complain(`warning: ${file} is not sealed: anybody could have written it.`);
}

/** Says at once when the secrets that came back cannot be opened with the key that is here. */
function tryKey(directory: OpenData['directory']): void {
  try {
    openAccounts(directory, keyOf(directory));
  } catch (error) {
    complain(`warning: ${lineOf(error)}`);
  }
}
