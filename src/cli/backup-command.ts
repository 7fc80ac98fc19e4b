import type { Command } from 'commander';
import { holdsBackup } from '../disk/backup-file.js';
import { writeBackup } from '../disk/backup.js';
import { verifyBackup } from '../disk/verify-backup.js';
import { documentReferences } from '../records/documents/content-key.js';
import { checkText } from '../store/check-text.js';
import { backupKey, PASSPHRASE_OPTION } from './choose-backup-key.js';
import { withData } from './open-data.js';
import { complain, count, print, printJson } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

interface Options {
  readonly passphraseFile?: string;
  readonly json?: boolean;
  readonly withoutDamaged?: boolean;
}

/** `chartgraph backup`: one sealed file with everything, while a server may go on writing. */
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
        const progress = await startProgress('Backing up');
        const isReplaced = holdsBackup(file) === true;
        const entries = await writeBackup(directory, file, {
          key,
          references: documentReferences,
          leaveOut: withoutDamaged ? warnOfDocument : undefined,
          progress: (done) => progress.at(done),
        }).finally(() => progress.stop());
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
      // An option that the command above knows as well is taken there.
      const { passphraseFile, json } = verify.optsWithGlobals<Options>();
      const { data } = readSettings(command.optsWithGlobals());
      const found = await verifyBackup(
        file,
        () => backupKey(data, passphraseFile),
        checkText,
        documentReferences,
      );
      if (json) await printJson(found);
      else if (found.problems.length > 0) for (const problem of found.problems) complain(problem);
      else {
        const { records, graphs, documents } = found;
        await print(
          `${count(records, 'record')}, ${count(graphs, 'graph')}, ${count(documents, 'document')}.`,
        );
        await print('No problems: it restores.');
      }
      if (found.problems.length > 0) process.exitCode = 1;
    });
}

function warnOfDocument(sha256: string, path: string): void {
  complain(
    `warning: the document ${sha256}, which ${path} refers to, is missing or damaged: the backup is without it.`,
  );
}
