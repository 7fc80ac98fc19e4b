import type { BackupKey } from '../disk/backup-key.js';
import { KEY_FILE, readSecretKeyNow, hasSecretKey } from '../disk/key-file.js';
import { CommandError } from './command-errors.js';
import { readText } from './read-text.js';

/** The option of the commands that write and read backups. */
export const PASSPHRASE_OPTION = [
  '--passphrase-file <file>',
  'a file whose first line seals the backup in the place of the secret key',
] as const;

/** Short ones can be guessed by whoever has the file. */
const SHORTEST_PASSPHRASE = 12;

/**
 * What seals or opens a backup: the passphrase in a file where one is given, else the secret key of the data directory.
 * @throws CommandError when there is neither
 */
export async function backupKey(data: string, passphraseFile: string | undefined): Promise<BackupKey> {
  if (passphraseFile !== undefined) return { kind: 'passphrase', passphrase: readPassphrase(passphraseFile) };
  if (await hasSecretKey(data, process.env)) {
    return { kind: 'secret', secret: readSecretKeyNow(data, process.env) };
  }
  throw new CommandError(
    `There is no secret key to open the backup with: put the key of the directory that was backed up at ${data}/${KEY_FILE}, set CHARTGRAPH_SECRET_KEY, or name the file of its passphrase with --passphrase-file.`,
  );
}

function readPassphrase(file: string): string {
  const passphrase = readText(file).split(/\r?\n/)[0] ?? '';
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase;
  throw new CommandError(
    `The first line of ${file} has to hold a passphrase of ${SHORTEST_PASSPHRASE} characters or more.`,
  );
}
