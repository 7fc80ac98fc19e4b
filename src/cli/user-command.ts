import { Option, type Command } from 'commander';
import { hashNewPassword } from '../access/accounts/passwords.js';
import type { Accounts } from '../access/accounts/accounts.js';
import { openGrants } from '../access/accounts/grants.js';
import { userRoles, type Identity, type UserRole } from '../access/accounts/users.js';
import { kinds } from '../http/setting-kinds.js';
import { addUser, changeUser, missingRecords, removeUser } from '../records/registry.js';
import { userIri } from '../records/user-graph.js';
import { vcard } from '../rdf/vocabulary.js';
import { withAccounts, textOf, type OpenData } from './open-data.js';
import { CommandError, UsageError, Interrupted } from './command-errors.js';
import { commandConcerns } from './command-entries.js';
import { accountId, recordIds } from './argument-values.js';
import { complain, print, printRows } from './output.js';
import { readSettings, type Settings } from './read-settings.js';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

interface AddOptions {
  givenName: string;
  familyName: string;
  role: UserRole;
  record?: string[];
  practitioner?: string;
}

/** `record` replaces a user's records (false: none), `more` adds some, `less` takes some away. */
type ChangeOptions = Partial<Omit<AddOptions, 'record' | 'practitioner'>> & {
  practitioner?: string | false;
  record?: string[] | false;
  more?: string[];
  less?: string[];
};

interface PasswordOptions {
  revokeTokens?: boolean;
  temporary?: boolean;
}

const PRACTITIONER =
  'how records name a clinician, such as by an NPI number; they open records that say they give care in them';

export function define(command: Command): void {
  command
    .command('add')
    .description('add a user; a password is read from stdin where there is one')
    .argument('<id>', 'name to sign in with', accountId)
    .requiredOption('--given-name <text>', 'given name')
    .requiredOption('--family-name <text>', 'family name')
    .addOption(new Option('--role <role>', 'what the user may do').choices(userRoles).default('person'))
    .option('--record <id...>', 'records given to a person or clinician', recordIds)
    .option('--practitioner <identifier>', PRACTITIONER)
    .action(async (id: string, options: AddOptions, add: Command) => {
      const { givenName, familyName, role, record = [], practitioner } = options;
      const settings = { ...readSettings(add.optsWithGlobals()), create: true };
      const password = await readPassword(`Password for ${id} (none: empty line)`);
      const hash = password === undefined ? {} : { passwordHash: await hashNewPassword(id, password) };
      await withAccounts(settings, async (open) => {
        if (open.accounts.user(id))
          throw new CommandError(`There is a user ${id} already: chartgraph user change ${id} changes them.`);
        await addUser(open, { id, givenName, familyName, role, records: record, practitioner, ...hash });
        warnOfMissing(open, id, record);
      });
      await print(`Added ${role} ${id}.`);
      if (password === undefined)
        await print(`There is no password yet: chartgraph user password ${id} sets one.`);
    });

  command
    .command('change')
    .description('change what is named of a user; everything else stays as it is')
    .argument('<id>', 'the user', accountId)
    .option('--given-name <text>', 'given name')
    .option('--family-name <text>', 'family name')
    .addOption(new Option('--role <role>', 'the role; a new one ends their sessions').choices(userRoles))
    .option('--record <id...>', 'the records given to a user, in the place of those they have', recordIds)
    .option('--no-record', 'take all records from a user')
    .option('--practitioner <identifier>', PRACTITIONER)
    .option('--no-practitioner', 'open nothing more to a clinician by what records say')
    .action(async (id: string, options: ChangeOptions, change: Command) => {
      if (Object.keys(options).length === 0)
        throw new UsageError('Say what to change: a name, the role, the records or the practitioner.');
      await changeNamed(readSettings(change.optsWithGlobals()), id, options);
    });

  command
    .command('grant')
    .description('give a person or clinician more records')
    .argument('<id>', 'the user', accountId)
    .requiredOption('--record <id...>', 'records to add to those they have', recordIds)
    .action((id: string, { record: more }: { record: string[] }, grant: Command) =>
      changeNamed(readSettings(grant.optsWithGlobals()), id, { more }),
    );

  command
    .command('link')
    .description('let a user sign in at an OpenID Connect provider; it ends their sessions')
    .argument('<id>', 'the user', accountId)
    .requiredOption('--issuer <url>', 'the provider, as serve has it for --oidc-issuer')
    .requiredOption('--subject <text>', 'what the provider calls the person in its claim sub')
    .action(async (id: string, identity: Identity, link: Command) => {
      if (kinds.issuer.read(identity.issuer) === undefined)
        throw new UsageError(`--issuer must be ${kinds.issuer.hint}.`);
      await withAccounts(readSettings(link.optsWithGlobals()), ({ accounts, directory }) =>
        directory.transact((tx) => {
          const user = accounts.user(id, tx);
          if (!user) throw new CommandError(`There is no user ${JSON.stringify(id)}.`);
          accounts.putUser(tx, { ...user, identity });
        }),
      );
      await print(`Linked ${id}.`);
    });

  command
    .command('ungrant')
    .description('take records from a person or clinician, also what is open to them in an emergency')
    .argument('<id>', 'the user', accountId)
    .requiredOption('--record <id...>', 'records to take away', recordIds)
    .action((id: string, { record: less }: { record: string[] }, ungrant: Command) =>
      changeNamed(readSettings(ungrant.optsWithGlobals()), id, { less }),
    );

  command
    .command('password')
    .description('set the password of a user, read from stdin; it ends their sessions')
    .argument('<id>', 'the user', accountId)
    .option('--revoke-tokens', 'revoke the access tokens given in their name, too')
    .option('--temporary', 'they must choose another one when they sign in with it')
    .action(async (id: string, { temporary, ...options }: PasswordOptions, change: Command) => {
      const settings = readSettings(change.optsWithGlobals());
      // Before asking for a password in vain.
      await withAccounts(settings, ({ accounts }) => requireUser(accounts, id));
      const password = await readPassword(`New password for ${id}`);
      if (password === undefined) throw new UsageError('There was no password on stdin.');
      await withAccounts(settings, ({ accounts }) =>
        accounts.setPassword(id, password, { ...options, isTemporary: temporary }),
      );
      await print(`Set the password of ${id}.`);
    });

  command
    .command('second-factor')
    .description('tell whether a user has a second factor, or remove it')
    .argument('<id>', 'the user', accountId)
    .option('--remove', 'remove it, for somebody who lost it: after that, a password alone signs them in')
    .action(async (id: string, { remove = false }: { remove?: boolean }, factor: Command) => {
      const settings = readSettings(factor.optsWithGlobals());
      const said = await withAccounts(settings, async ({ accounts, directory, key }) => {
        requireUser(accounts, id);
        const { secondFactors } = openGrants(directory, key);
        const had = secondFactors.has(id);
        if (!remove) return `${id} has ${had ? 'a' : 'no'} second factor.`;
        await secondFactors.remove(id);
        return had ? `Removed the second factor of ${id}.` : `${id} had no second factor.`;
      });
      await print(said);
    });

  command
    .command('list')
    .description('list the users')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const users = await withAccounts(readSettings(list.optsWithGlobals()), ({ primary, base, accounts }) =>
        accounts.listUsers().map(({ id, role, records, practitioner }) => {
          const graph = primary.graph(userIri(base, id));
          const given_name = textOf(graph, vcard['given-name']);
          const family_name = textOf(graph, vcard['family-name']);
          return { user_id: id, given_name, family_name, role, records, practitioner };
        }),
      );
      return printRows(users, json, ['user', 'role', 'name', 'records', 'practitioner'], (user) => [
        user.user_id,
        user.role,
        `${user.given_name} ${user.family_name}`,
        user.records.join(' '),
        user.practitioner ?? '',
      ]);
    });

  command
    .command('remove')
    .description('remove a user with all tokens given in their name')
    .argument('<id>', 'the user', accountId)
    .option('--purge', 'keep no name for the access log and the history, even of one removed before')
    .action(async (id: string, { purge = false }: { purge?: boolean }, remove: Command) => {
      await withAccounts(readSettings(remove.optsWithGlobals()), (open) => removeUser(open, id, purge));
      await print(`Removed user ${id}${purge ? ' and their name' : ''}.`);
    });
}

function requireUser(accounts: Accounts, id: string): void {
  if (!accounts.user(id)) throw new CommandError(`There is no user ${JSON.stringify(id)}.`);
}

function warnOfMissing(open: OpenData, user: string, records: readonly string[]): void {
  const missing = missingRecords(open, records);
  if (missing.length > 0)
    complain(
      `warning: there is no record ${missing.join(', ')} yet; any patient who gets such a number later is given to ${user}.`,
    );
}

async function changeNamed(
  settings: Settings,
  id: string,
  { record, practitioner, more = [], less = [], ...texts }: ChangeOptions,
): Promise<void> {
  const said = await withAccounts(settings, async (open) => {
    const records = record === undefined ? {} : { records: record || [] };
    const given = [...more, ...less];
    if (given.length > 0) commandConcerns(...given.map((each) => ({ user: id, record: each })));
    const { before, role } = await changeUser(open, id, {
      ...{ ...texts, ...records, more, less },
      practitioner: practitioner === false ? '' : practitioner,
    });
    warnOfMissing(open, id, [...(record || []), ...more]);
    return `Changed ${role} ${id}.${role === before ? '' : ' Their role is new, so their sessions have ended.'}`;
  });
  await print(said);
}

/** Hashing takes longer for longer input, so longer ones are refused. */
const MAX_PASSWORD_LENGTH = 1024;

/**
 * Reads a password: twice and without echo on a terminal, else all of stdin without its last line end; undefined if
 * empty. @throws UsageError if it cannot be typed on one line or the two differ, Interrupted at Ctrl-C
 */
async function readPassword(question: string): Promise<string | undefined> {
  const given = process.stdin.isTTY
    ? await ask(question)
    : (await text(process.stdin)).replace(/\r?\n$/u, '');
  if (given === '') return undefined;
  if (process.stdin.isTTY && (await ask('Again')) !== given)
    throw new UsageError('The two passwords differ; type the same one twice.');

  if (/[\u0000-\u001f\u007f]/u.test(given))
    throw new UsageError('A password is one line without control characters.');
  if (given.length > MAX_PASSWORD_LENGTH)
    throw new UsageError(`A password has at most ${MAX_PASSWORD_LENGTH} characters.`);
  return given;
}

function ask(question: string): Promise<string> {
  process.stderr.write(`${question}: `);
  const blind = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: blind, terminal: true });
  return new Promise((resolve, reject) => {
    let answer = '';
    reader.once('line', (line) => {
      answer = line;
      reader.close();
    });
    // While single keys are read, Ctrl-C sends no signal.
    reader.once('SIGINT', () => {
      reject(new Interrupted());
      reader.close();
    });
    reader.once('close', () => {
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
