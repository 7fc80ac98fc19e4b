import type { Command } from 'commander';
import type { AccessToken } from '../accounts/tokens.js';
import { recordIri } from '../records/resource-paths.js';
import { withAccounts } from './open-accounts.js';
import { CommandError } from './command-errors.js';
import { accountId, recordId } from './id-arguments.js';
import { complain, print, printJson, printTable } from './output.js';
import { readSettings } from './settings.js';

interface IssueOptions {
  app: string;
  user: string;
  record?: string;
}

/** `chartgraph token issue`, `token list` and `token revoke`. */
export function define(command: Command): void {
  command
    .command('issue')
    .description('issue an access token and print it, the only time it is seen, as JSON')
    .requiredOption('--app <id>', 'the app that will sign with it', accountId)
    .requiredOption('--user <id>', 'the user in whose name', accountId)
    .option('--record <id>', 'the record it opens', recordId)
    .option('--json', 'JSON is what is printed anyway')
    .action(async ({ app, user, record }: IssueOptions, issue: Command) => {
      const settings = readSettings(issue.optsWithGlobals());
      const issued = await withAccounts(settings, async ({ primary, base, directory, accounts }) => {
        const { token, secret } = await accounts.issueToken({
          app,
          user,
          lifetime: settings.tokenLifetime,
          ...(record === undefined ? {} : { record }),
        });
        if (record !== undefined && !primary.has(recordIri(base, record))) {
          complain(`warning: there is no record ${record} yet.`);
        }
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
      const tokens = await withAccounts(readSettings(list.optsWithGlobals()), ({ accounts }) =>
        Promise.resolve(accounts.listTokens().map(asJson)),
      );
      if (json) return printJson(tokens);
      return printTable(
        ['token', 'app', 'user', 'record', 'expires', 'revoked'],
        tokens.map((token) => [
          token.token_id,
          token.app_id,
          token.user_id ?? '-',
          token.record_id ?? '-',
          token.expires_at,
          token.revoked ? 'yes' : 'no',
        ]),
      );
    });

  command
    .command('revoke')
    .description('revoke an access token')
    .argument('<token-id>', 'the id that token list shows')
    .action(async (id: string, _options: object, revoke: Command) => {
      const known = await withAccounts(readSettings(revoke.optsWithGlobals()), ({ accounts }) =>
        accounts.revoke(id),
      );
      if (!known) throw new CommandError(`There is no token ${JSON.stringify(id)}.`);
      await print(`Revoked token ${id}.`);
    });
}

function asJson({ id, app, user, record, expires, revoked }: AccessToken) {
  return {
    token_id: id,
    app_id: app,
    user_id: user ?? null,
    record_id: record ?? null,
    expires_at: new Date(expires).toISOString(),
    revoked,
  };
}
