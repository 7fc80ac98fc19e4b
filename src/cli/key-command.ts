import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { ACCESS_LOG } from '../access/log/access-log.js';
import { addLogSecret, keepLogSecret } from '../access/log/log-key.js';
import {
  decodeKey,
  copySecretKey,
  KEY_VARIABLE,
  NEW_KEY_VARIABLE,
  readSecretKeyNow,
  replaceSecretKey,
} from '../store/disk/key-file.js';
import { addDataKey, addSecret, keepSecret } from '../store/disk/keyring.js';
import { KEY_BYTES } from '../store/disk/sealing.js';
import { CommandError, UsageError } from './command-errors.js';
import { withData, type OpenData } from './open-data.js';
import { print, withProgress } from './output.js';
import { readSettings } from './read-settings.js';

/** `chartgraph key`: changes the keys of a data directory, also while a server runs. */
export function define(command: Command): void {
  command
    .command('rotate')
    .description('make a new secret key, which opens the same data; or a new data key')
    .option('--keep-old <file>', 'keep the old secret key in a new file, for the backups that need it')
    .option('--data-key', 'seal every value and document anew with a new data key, step by step')
    .addHelpText(
      'after',
      `\nWhere the secret key comes from ${KEY_VARIABLE}, put the new one into ${NEW_KEY_VARIABLE}, and start the\nserver with it next time. Backups of before need the old key; those with a passphrase do not.`,
    )
    .action(({ dataKey, keepOld }: { dataKey?: boolean; keepOld?: string }) => {
      if (dataKey && keepOld !== undefined)
        throw new UsageError('--data-key leaves the secret key as it is: leave out --keep-old.');
      return withData(readSettings(command.optsWithGlobals()), ({ directory }) =>
        dataKey ? rotateDataKey(directory) : rotateSecretKey(directory, keepOld),
      );
    });
}

async function rotateSecretKey(directory: OpenData['directory'], keepOld?: string): Promise<void> {
  const old = readSecretKeyNow(directory.dir, process.env);
  const inVariable = (process.env[KEY_VARIABLE] ?? '') !== '';
  const fresh = inVariable ? decodeKey(given(), NEW_KEY_VARIABLE) : randomBytes(KEY_BYTES);
  const isLost = keepOld === undefined && !inVariable;
  if (keepOld !== undefined) await copySecretKey(keepOld, old);
  await print(
    `Backups made until now open only with the old key, unless they have a passphrase. ${
      isLost
        ? 'It is overwritten now; --keep-old FILE keeps it.'
        : `Keep it as long as them: it is in ${keepOld ?? KEY_VARIABLE}.`
    }`,
  );
  if (isLost && process.stdin.isTTY && !(await confirms('Go on without it?')))
    throw new CommandError('The secret key was not changed.');
  const log = join(directory.dir, ACCESS_LOG);
  // Both secrets open the directory until the new one is stored, so a crash in between locks nobody out.
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

async function confirms(question: string): Promise<boolean> {
  process.stderr.write(`${question} (yes or no) `);
  for await (const line of createInterface({ input: process.stdin })) return /^y(?:es)?$/iu.test(line.trim());
  return false;
}

async function rotateDataKey(directory: OpenData['directory']): Promise<void> {
  const secret = readSecretKeyNow(directory.dir, process.env);
  await directory.changeKeys((keys) => addDataKey(keys, secret));
  await withProgress('Sealing, percent', 100, (at) =>
    directory.resealAll((done, total) => at(Math.floor((100 * done) / Math.max(1, total)))),
  );
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
