import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { holdForServing } from '../store/disk/lock.js';
import { migrateFromStore, migrateToStore } from '../store/postgres/migrate.js';
import { CommandError, UsageError } from './command-errors.js';
import { count, print, withProgress } from './output.js';

/** `chartgraph migrate`: copies a container from a data directory to a PostgreSQL database, or back. */
export function define(command: Command): void {
  command
    .requiredOption('--from <store>', 'a data directory, or postgres://user@host/name')
    .requiredOption('--to <store>', 'an empty database, or a directory with nothing but secret.key')
    .addHelpText(
      'after',
      '\nEverything is copied as it is sealed, so the secret key stays the same: give CHARTGRAPH_SECRET_KEY, or put\nsecret.key of the source into the directory of each gateway, or into the new directory first. The access log of a directory stays there.',
    )
    .action(async ({ from, to }: { from: string; to: string }) => {
      if (isAddress(from) === isAddress(to))
        throw new UsageError(
          'One of --from and --to is a data directory, the other the address of a database.',
        );
      const { entries, documents } = await withProgress('Copying', undefined, (at) =>
        isAddress(to)
          ? fromDirectory(resolve(from), (dir) => migrateToStore(dir, to, at))
          : migrateFromStore(from, resolve(to), at),
      );
      await print(
        `Copied ${count(entries, 'entry', 'entries')} and ${count(documents, 'document')}; all of them are as they were.`,
      );
    });
}

const isAddress = (store: string): boolean => /^postgres(?:ql)?:\/\//u.test(store);

/** Holds the directory, so that nobody serves it: later writes would be missing from the copy. */
async function fromDirectory<T>(dir: string, work: (dir: string) => Promise<T>): Promise<T> {
  if (!existsSync(dir)) throw new CommandError(`There is no data directory at ${dir}.`);
  const release = await holdForServing(dir);
  try {
    return await work(dir);
  } finally {
    await release();
  }
}
