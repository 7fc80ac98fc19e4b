import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ACCESS_LOG } from '../access-log/access-log.js';
import { addLogSecret, keepLogSecret } from '../access-log/log-key.js';
import {
  decodeKey,
  KEY_VARIABLE,
  NEW_KEY_VARIABLE,
  readSecretKeyNow,
  replaceSecretKey,
} from '../disk/key-file.js';
import { addDataKey, addSecret, keepSecret } from '../disk/keyring.js';
import { KEY_BYTES } from '../disk/sealing.js';
import { CommandError } from './command-errors.js';
import { withData, type OpenData } from './open-data.js';
import { print } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

/** `chartgraph key`: changes the keys of a data directory while a server runs. */
export function define(command: Command): void {
  command
    .command('rotate')
    .description('make a new secret key, which opens the same data; or a new data key')
    .option('--data-key', 'seal every value and document anew with a new data key, step by step')
    .addHelpText(
      'after',
      `\nWhere the secret key comes from ${KEY_VARIABLE}, put the new one into ${NEW_KEY_VARIABLE}, and start the\nserver with it next time. Backups of before need the old key.`,
    )
    .action(async ({ dataKey }: { dataKey?: boolean }) => {
      await withData(readSettings(command.optsWithGlobals()), ({ directory }) =>
        dataKey ? rotateDataKey(directory) : rotateSecretKey(directory),
      );
    });
}

async function rotateSecretKey(directory: OpenData['directory']): Promise<void> {
  const old = readSecretKeyNow(directory.dir, process.env);
  const inVariable = (process.env[KEY_VARIABLE] ?? '') !== '';
  const fresh = inVariable ? decodeKey(given(), NEW_KEY_VARIABLE) : randomBytes(KEY_BYTES);
  const log = join(directory.dir, ACCESS_LOG);
  // Both open the directory until the new one is in its place, so a crash in between locks nobody out.
  await addLogSecret(log, old, fresh);
  await directory.changeKeys((keys) => addSecret(keys, old, fresh));
  if (!inVariable) await replaceSecretKey(directory.dir, fresh);
  await directory.changeKeys((keys) => keepSecret(keys, fresh));
  await keepLogSecret(log, fresh);
  await print(
    inVariable
      ? `Only the key in ${NEW_KEY_VARIABLE} opens ${directory.dir} now: start with it in ${KEY_VARIABLE}.`
      : `A new secret key is in ${directory.dir}: keep a copy in another safe place.`,
  );
}

async function rotateDataKey(directory: OpenData['directory']): Promise<void> {
  const secret = readSecretKeyNow(directory.dir, process.env);
  await directory.changeKeys((keys) => addDataKey(keys, secret));
  const progress = await startProgress('Sealing, percent', 100);
  await directory
    .resealAll((done, total) => progress.at(Math.floor((100 * done) / Math.max(1, total))))
    .finally(() => progress.stop());
  await print(
    directory.sealsRecords
      ? 'Every value and document is sealed with a new data key.'
      : 'Accounts and documents are sealed with a new data key; what records say stays in the clear, as --seal off has it.',
  );
}

function given(): string {
  const text = process.env[NEW_KEY_VARIABLE] ?? '';
  if (text !== '') return text;
  throw new CommandError(
    `The secret key comes from ${KEY_VARIABLE}: put the new one into ${NEW_KEY_VARIABLE}.`,
  );
}
