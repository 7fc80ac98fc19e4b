import { Option, type Command } from 'commander';
import { hashNewPassword } from '../accounts/password-rules.js';
import type { Accounts } from '../accounts/accounts.js';
import { openGrants } from '../accounts/grants.js';
import { userRoles, type UserRole } from '../accounts/users.js';
import { isKeptByApp, recordIri } from '../records/resource-paths.js';
import { userGraph, userIri } from '../records/user-graph.js';
import { vcard } from '../rdf/vocabulary.js';
import { withAccounts } from './open-accounts.js';
import { CommandError, UsageError } from './command-errors.js';
import { textOf } from './graph-text.js';
import { accountId, recordIds } from './argument-values.js';
import { complain, print, printJson, printTable } from './output.js';
import { readPassword } from './password.js';
import { readSettings } from './settings.js';

interface AddOptions {
  givenName: string;
  familyName: string;
  role: UserRole;
  record?: string[];
}

/** `chartgraph user add`, `user password`, `user second-factor`, `user list` and `user remove`. */
export function define(command: Command): void {
  command
    .command('add')
    .description('add a user, or change one; a password is read from stdin where there is one')
    .argument('<id>', 'name to sign in with', accountId)
    .requiredOption('--given-name <text>', 'given name')
    .requiredOption('--family-name <text>', 'family name')
    .addOption(new Option('--role <role>', 'what the user may do').choices(userRoles).default('person'))
    .option('--record <id...>', 'records given to a person', recordIds)
    .action(async (id: string, { givenName, familyName, role, record = [] }: AddOptions, add: Command) => {
      const settings = readSettings(add.optsWithGlobals());
      const password = await readPassword(`Password for ${id} (none: empty line)`);
      const hash = password === undefined ? {} : { passwordHash: await hashNewPassword(id, password) };
      const before = await withAccounts(
        settings,
        async ({ primary, base, accounts }) => {
          const known = accounts.user(id);
          await primary.write({ replace: [userGraph({ id, givenName, familyName, role }, base)] }, (tx) => {
            accounts.putUser(tx, { id, role, records: record, ...hash });
          });
          const missing = record.filter((given) => !primary.has(recordIri(base, given)));
          if (missing.length > 0) complain(`warning: there is no record ${missing.join(', ')} yet.`);
          return known;
        },
        { create: true },
      );
      await print(`${before === undefined ? 'Added' : 'Changed'} ${role} ${id}.`);
      if (password === undefined && before === undefined) {
        await print(`There is no password yet: chartgraph user password ${id} sets one.`);
      }
    });

  command
    .command('password')
    .description('set the password of a user, read from stdin; it ends their sessions')
    .argument('<id>', 'the user', accountId)
    .option('--revoke-tokens', 'revoke the access tokens given in their name, too')
    .action(async (id: string, options: { revokeTokens?: boolean }, change: Command) => {
      const settings = readSettings(change.optsWithGlobals());
      // Before anybody is asked for a password that would be in vain.
      await withAccounts(settings, ({ accounts }) => requireUser(accounts, id));
      const password = await readPassword(`New password for ${id}`);
      if (password === undefined) throw new UsageError('There was no password on stdin.');
      await withAccounts(settings, ({ accounts }) => accounts.setPassword(id, password, options));
      await print(`Set the password of ${id}.`);
    });

  command
    .command('second-factor')
    .description('tell whether a user has a second factor, or remove it')
    .argument('<id>', 'the user', accountId)
    .option('--remove', 'remove it, for somebody who lost it: the password alone signs in then')
    .action(async (id: string, { remove = false }: { remove?: boolean }, factor: Command) => {
      const said = await withAccounts(
        readSettings(factor.optsWithGlobals()),
        async ({ accounts, directory, key }) => {
          requireUser(accounts, id);
          const { secondFactors } = openGrants(directory, key);
          if (!remove) return `${id} has ${secondFactors.has(id) ? 'a' : 'no'} second factor.`;
          const had = secondFactors.has(id);
          await secondFactors.remove(id);
          return had ? `Removed the second factor of ${id}.` : `${id} had no second factor.`;
        },
      );
      await print(said);
    });

  command
    .command('list')
    .description('list the users')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const users = await withAccounts(readSettings(list.optsWithGlobals()), ({ primary, base, accounts }) =>
        accounts.listUsers().map(({ id, role, records }) => {
          const graph = primary.graph(userIri(base, id));
          const [given_name, family_name] = [vcard['given-name'], vcard['family-name']].map((name) =>
            textOf(graph, name),
          );
          return { user_id: id, given_name, family_name, role, records };
        }),
      );
      if (json) return printJson(users);
      return printTable(
        ['user', 'role', 'name', 'records'],
        users.map(({ user_id, role, given_name, family_name, records }) => [
          user_id,
          role,
          `${given_name} ${family_name}`,
          records.join(' '),
        ]),
      );
    });

  command
    .command('remove')
    .description('remove a user with all tokens given in their name')
    .argument('<id>', 'the user', accountId)
    .action(async (id: string, _options: object, remove: Command) => {
      await withAccounts(readSettings(remove.optsWithGlobals()), ({ primary, base, accounts }) => {
        const iri = userIri(base, id);
        const change = { remove: [iri], removeUnder: [`${iri}/`], isUnkept: isKeptByApp };
        return primary.write(change, (tx) => {
          if (!accounts.removeUser(tx, id)) throw new CommandError(`There is no user ${id}.`);
        });
      });
      await print(`Removed user ${id}.`);
    });
}

/** @throws CommandError where there is no such user */
function requireUser(accounts: Accounts, id: string): void {
  if (!accounts.user(id)) throw new CommandError(`There is no user ${JSON.stringify(id)}.`);
}
