import type { Command } from 'commander';
import { shownDeadLetter, type Subscription } from '../access/accounts/subscriptions.js';
import { replayed } from '../services/webhooks/due-deliveries.js';
import { commandConcerns } from './command-entries.js';
import { CommandError, UsageError } from './command-errors.js';
import { withAccounts, type OpenAccounts } from './open-data.js';
import { print, printRows } from './output.js';
import { readSettings } from './read-settings.js';

export function define(command: Command): void {
  command
    .command('list')
    .description('list the subscriptions of apps with what could not be delivered')
    .option('--json', 'print the list as JSON')
    .action(({ json }: { json?: boolean }, list: Command) =>
      opened(list, async ({ accounts }) => {
        const rows = accounts.listSubscriptions().map(row);
        const heads = ['id', 'app', 'record', 'url', 'since', 'failures', 'reason', 'dead letters'];
        return printRows(rows, json, heads, (each) => [
          ...[each.id, each.app_id, each.record_id, each.url],
          ...[each.since, each.failures, each.reason ?? '', each.dead_letters.length].map(String),
        ]);
      }),
    );

  command
    .command('replay')
    .description('tell an app again of all changes since its oldest dead letter, or since a revision')
    .argument('<id>', 'the subscription')
    .option('--since <revision>', 'deliver the changes after this revision')
    .action((id: string, { since }: { since?: string }, replay: Command) => {
      if (since !== undefined && !/^\d{1,15}$/u.test(since))
        throw new UsageError('--since is the number of a revision.');
      return opened(replay, async ({ accounts }) => {
        const found = existing(accounts.subscription(id), id);
        const from = since === undefined ? found.deadLetters[0]?.since : Number(since);
        if (from === undefined)
          throw new CommandError('It has no dead letters; say with --since from which revision.');
        commandConcerns({ app: found.app, record: found.record });
        existing(await accounts.changeSubscription(id, (now) => replayed(now, from)), id);
        await print(`Told again from revision ${from}.`);
      });
    });

  command
    .command('remove')
    .description('end a subscription')
    .argument('<id>', 'the subscription')
    .action((id: string, _: unknown, remove: Command) =>
      opened(remove, async ({ accounts }) => {
        const { app, record } = existing(accounts.subscription(id), id);
        commandConcerns({ app, record });
        await accounts.changeSubscription(id, () => undefined);
        await print(`Removed subscription ${id}.`);
      }),
    );
}

const opened = (command: Command, work: (open: OpenAccounts) => Promise<void>): Promise<void> =>
  withAccounts(readSettings(command.optsWithGlobals()), work);

function existing(subscription: Subscription | undefined, id: string): Subscription {
  if (!subscription) throw new CommandError(`There is no subscription ${JSON.stringify(id)}.`);
  return subscription;
}

function row({ id, app, record, url, position, failures, reason, deadLetters }: Subscription) {
  return {
    id,
    app_id: app,
    record_id: record,
    url,
    since: position,
    failures,
    ...(reason === undefined ? {} : { reason }),
    dead_letters: deadLetters.map(shownDeadLetter),
  };
}
