import type { Command } from 'commander';
import { holdsBackup } from '../store/backup/backup-file.js';
import { writeBackup } from '../store/backup/backup.js';
import { verifyBackup } from '../store/backup/verify-backup.js';
import { documentReferences } from '../records/documents/content-key.js';
import { checkText } from '../store/relative-text.js';
import { withData } from './open-data.js';
import { complain, count, print, printJson, withProgress } from './output.js';
import { readSettings } from './read-settings.js';
import type { BackupKey } from '../store/backup/backup-key.js';
import { KEY_FILE, readSecretKeyNow, hasSecretKey } from '../store/disk/key-file.js';
import { CommandError } from './command-errors.js';
import { readText } from './argument-values.js';

interface Options {
  readonly passphraseFile?: string;
  readonly json?: boolean;
  readonly withoutDamaged?: boolean;
}

/** `chartgraph backup`: writes everything to one encrypted file, also while a server is writing. */
export function define(command: Command): void {
  command
    .argument(
      '<file>',
      'where to write the backup; an older backup that is there is replaced by a complete one',
    )
    .option(...PASSPHRASE_OPTION)
    .option('--without-damaged', 'leave out documents that are missing or damaged, and name them')
    .addHelpText(
      'after',
      '\nA backup is encrypted with the secret key, which is not part of it: keep DATA/secret.key (or\nCHARTGRAPH_SECRET_KEY) in another safe place, or choose a passphrase.',
    )
    .action(async (file: string, { passphraseFile, withoutDamaged }: Options) => {
      const settings = readSettings(command.optsWithGlobals());
      await withData(settings, async ({ directory }) => {
        const key = await backupKey(settings.data, passphraseFile);
        const isReplaced = holdsBackup(file) === true;
        const leaveOut = withoutDamaged ? warnOfDocument : undefined;
        const entries = await withProgress('Backing up', undefined, (progress) =>
          writeBackup(directory, file, { key, references: documentReferences, leaveOut, progress }),
        );
        const place = isReplaced ? ', in the place of the backup that was there' : '';
        await print(`Wrote ${count(entries, 'entry', 'entries')} to ${file}${place}.`);
      });
    });
  command
    .command('verify')
    .description('restore a backup into a temporary directory and say what it holds; nothing else is touched')
    .argument('<file>', 'what chartgraph backup wrote')
    .option(...PASSPHRASE_OPTION)
    .option('--json', 'print it as JSON')
    .action(async (file: string, _options: Options, verify: Command) => {
      // Options that the parent command also has end up there.
      const { passphraseFile, json } = verify.optsWithGlobals<Options>();
      const { data } = readSettings(command.optsWithGlobals());
      const key = (): ReturnType<typeof backupKey> => backupKey(data, passphraseFile);
      const found = await verifyBackup(file, key, checkText, documentReferences);
      if (found.problems.length > 0) process.exitCode = 1;
      if (json) return printJson(found);
      for (const problem of found.problems) complain(problem);
      if (found.problems.length > 0) return;
      const { records, graphs, documents } = found;
      await print(`${count(records, 'record')}, ${count(graphs, 'graph')}, ${count(documents, 'document')}.`);
      await print('No problems: it restores.');
    });
}

function warnOfDocument(sha256: string, path: string): void {
  complain(
    `warning: the document ${sha256}, which ${path} refers to, is missing or damaged: the backup is without it.`,
  );
}

export const PASSPHRASE_OPTION = [
  '--passphrase-file <file>',
  'a file whose first line seals the backup in the place of the secret key',
] as const;

/** A thief of the file could guess a shorter one. */
const MIN_PASSPHRASE = 12;

/** Returns a backup's key: the passphrase if given, else the secret key. @throws CommandError without either */
export async function backupKey(data: string, passphraseFile: string | undefined): Promise<BackupKey> {
  if (passphraseFile !== undefined) return { kind: 'passphrase', passphrase: readPassphrase(passphraseFile) };
  if (hasSecretKey(data, process.env)) {
    return { kind: 'secret', secret: readSecretKeyNow(data, process.env) };
  }
  throw new CommandError(
    `There is no secret key to open the backup with: put the key of the directory that was backed up at ${data}/${KEY_FILE}, set CHARTGRAPH_SECRET_KEY, or name the file of its passphrase with --passphrase-file.`,
  );
}

function readPassphrase(file: string): string {
  const passphrase = readText(file).split(/\r?\n/)[0] ?? '';
  if (passphrase.length >= MIN_PASSPHRASE) return passphrase;
  throw new CommandError(
    `The first line of ${file} has to hold a passphrase of ${MIN_PASSPHRASE} characters or more.`,
  );
}
