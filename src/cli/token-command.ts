import type { Command } from 'commander';
import type { AnalystToken } from '../access/accounts/analyst-tokens.js';
import type { AccessToken } from '../access/accounts/tokens.js';
import type { LevelName } from '../analysts/levels.js';
import { patientIdOf } from '../fhir/out/origin-names.js';
import { issueAppToken, issueBearer } from '../records/registry.js';
import { withAccounts } from './open-data.js';
import { commandConcerns } from './command-entries.js';
import { CommandError, UsageError } from './command-errors.js';
import { accountId, recordId } from './argument-values.js';
import { print, printJson, printRows } from './output.js';
import { readSettings, type Settings } from './read-settings.js';

interface IssueOptions {
  app?: string;
  user?: string;
  record?: string;
  bearer?: boolean;
  scope?: string;
  analyst?: string;
  purpose?: string;
  days?: number;
  identified?: boolean;
  aggregate?: boolean;
  allRows?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
/** A bearer token lets anybody in who sees it, so it ends sooner than one that signs. */
const BEARER_DAYS = 7;

export function define(command: Command): void {
  command
    .command('issue')
    .description(
      'issue an access token for an app, or a bearer token for an analyst, and print it once, as JSON',
    )
    .option('--app <id>', 'the app that will sign with it', accountId)
    .option('--user <id>', 'the user in whose name', accountId)
    .option('--record <id>', 'the record it opens', recordId)
    .option('--analyst <id>', 'instead of an app: the analyst who will ask queries with it', accountId)
    .option('--purpose <text>', 'with --analyst: why, for the access log')
    .option('--bearer', 'with --app: a bearer token for /fhir, which needs no signature')
    .option('--scope <scopes>', 'with --bearer: what it reads, as in SMART (default: all that the app may)')
    .option(
      '--days <number>',
      `with --analyst or --bearer: how long it lives (default: --token-lifetime; of a bearer at most ${BEARER_DAYS})`,
      wholeDays,
    )
    .option('--identified', 'with --analyst, --purpose and --days: it shows who people are')
    .option('--aggregate', 'with --analyst: it runs analyses alone, and groups of few patients are withheld')
    .option('--all-rows', 'with --analyst: answers are not cut after 100,000 rows')
    .option('--json', 'JSON is what is printed anyway')
    .action(async (options: IssueOptions, issue: Command) => {
      const settings = readSettings(issue.optsWithGlobals());
      if (options.analyst !== undefined) return printJson(await issueToAnalyst(settings, options));
      const { app, user, record } = options;
      if (app === undefined || user === undefined)
        throw new UsageError('Say for whom: --app and --user, or --analyst.');
      if (options.bearer) return printJson(await issueToReader(settings, { ...options, app, user }));
      if (options.scope !== undefined) throw new UsageError('--scope is of bearer tokens: say --bearer.');
      const issued = await withAccounts(settings, async (open) => {
        const { directory, accounts } = open;
        const lifetime = settings.tokenLifetime;
        const { token, secret } = await issueAppToken(open, { app, user, record, lifetime });
        return {
          consumer_key: app,
          consumer_secret: directory.read((tx) => accounts.appCredentials(tx, app)?.secret ?? ''),
          oauth_token: token,
          oauth_token_secret: secret,
          record_id: record ?? null,
          user_id: user,
        };
      });
      await printJson(issued);
    });

  command
    .command('list')
    .description('list the access tokens; their secrets are never shown')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const tokens = await withAccounts(readSettings(list.optsWithGlobals()), ({ accounts }) => [
        ...accounts.listTokens().map(listed),
        ...accounts.listAnalystTokens().map(listed),
      ]);
      return printRows(tokens, json, ['token', 'app', 'user', 'record', 'expires', 'revoked'], (token) => [
        token.token_id,
        token.app_id ?? (token.level === undefined ? '-' : `(${token.level})`),
        token.user_id ?? '-',
        token.record_id ?? '-',
        token.expires_at,
        token.revoked ? 'yes' : 'no',
      ]);
    });

  command
    .command('revoke')
    .description('revoke an access token')
    .argument('<token-id>', 'the id that token list shows')
    .action(async (id: string, _options: object, revoke: Command) => {
      const known = await withAccounts(readSettings(revoke.optsWithGlobals()), ({ accounts }) =>
        Promise.all([accounts.revoke(id), accounts.revokeAnalystToken(id)]),
      );
      if (!known.includes(true)) throw new CommandError(`There is no token ${JSON.stringify(id)}.`);
      await print(`Revoked token ${id}.`);
    });
}

async function issueToAnalyst(
  settings: Settings,
  { analyst = '', app, user, record, purpose, days, identified = false, aggregate, allRows }: IssueOptions,
): Promise<object> {
  if (app !== undefined || user !== undefined || record !== undefined)
    throw new UsageError('--analyst stands alone: leave out --app, --user and --record.');
  if (purpose === undefined) throw new UsageError('Say why with --purpose; the access log shows it.');
  if (identified && days === undefined)
    throw new UsageError('A token that shows who people are has an end: say --days.');
  if (aggregate && (identified || allRows))
    throw new UsageError('--aggregate stands without --identified and --all-rows: it sees counts alone.');
  const lifetime = days === undefined ? settings.tokenLifetime : days * DAY;
  const issued = await withAccounts(settings, ({ accounts }) =>
    accounts.issueAnalystToken({
      ...{ user: analyst, purpose, lifetime, isIdentified: identified },
      ...{ isAggregate: aggregate, allRows },
    }),
  );
  commandConcerns({ user: analyst, tokenId: issued.id, purpose });
  return {
    access_token: issued.token,
    token_type: 'Bearer',
    token_id: issued.id,
    expires_at: new Date(issued.expires).toISOString(),
    level: levelOf(identified, aggregate),
    user_id: analyst,
    purpose,
  };
}

async function issueToReader(
  settings: Settings,
  { app, user, record, days, scope }: IssueOptions & { app: string; user: string },
): Promise<object> {
  const granted = scope ?? (record === undefined ? 'user/*.rs' : 'patient/*.rs');
  const lifetime = days === undefined ? Math.min(BEARER_DAYS * DAY, settings.tokenLifetime) : days * DAY;
  const issued = await withAccounts(settings, async (open) => ({
    ...(await issueBearer(open, { app, user, record, lifetime, scope: granted })),
    patient: record === undefined ? null : patientIdOf(open.primary, record),
  }));
  commandConcerns({ user, app, record, tokenId: issued.id });
  return {
    access_token: issued.token,
    token_type: 'Bearer',
    token_id: issued.id,
    expires_at: new Date(issued.expires).toISOString(),
    scope: granted,
    patient: issued.patient,
  };
}

function wholeDays(given: string): number {
  const days = Number(given);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new UsageError(`--days must be a whole number from 1 to 3650, not ${JSON.stringify(given)}.`);
}

const levelOf = (isIdentified: boolean, isAggregate = false): LevelName | 'aggregate' =>
  isAggregate ? 'aggregate' : isIdentified ? 'identified' : 'deidentified';

/** Lists a token of an app, or of an analyst, which has a level and a purpose. */
function listed(token: Omit<AccessToken, 'app'> & { app?: string } & Partial<AnalystToken>) {
  const {
    id,
    app = null,
    user = null,
    record = null,
    expires,
    revoked,
    isIdentified,
    isAggregate,
    purpose,
    scope,
  } = token;
  return {
    token_id: id,
    app_id: app,
    user_id: user,
    record_id: record,
    expires_at: new Date(expires).toISOString(),
    revoked,
    ...(scope !== undefined && { scope }),
    ...(isIdentified !== undefined && { level: levelOf(isIdentified, isAggregate), purpose }),
  };
}
