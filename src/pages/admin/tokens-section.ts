import type { Accounts } from '../../access/accounts/accounts.js';
import type { AnalystToken } from '../../access/accounts/analyst-tokens.js';
import type { AccessToken } from '../../access/accounts/tokens.js';
import { opensMany } from '../../http/authorize.js';
import type { PageParts } from '../../http/app-parts.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import { dayOf, readableMinute } from '../../http/html/readable.js';
import type { PageRequest } from '../../http/sign-in/page-request.js';
import { ids } from './list-cells.js';
import { analystTokenForm, appTokenForm } from './token-forms.js';
import { namedRecord, namedUser, recordsFound } from './user-meant.js';
import { optional, type MakeSection, type Row } from './section.js';

type Token = AccessToken | AnalystToken;

const isOfAnalyst = (token: Token): token is AnalystToken => 'isIdentified' in token;

/** Tokens of apps and analysts: what `chartgraph token` does. */
export const tokensSection: MakeSection = (parts) => {
  const { administration, people, flow } = parts;
  const { accounts } = flow;
  return {
    name: 'tokens',
    title: 'Tokens',
    one: 'token',
    about:
      'Apps and analysts’ tools sign in with tokens. A token is shown once, when it is issued. Open one to revoke it.',
    none: 'No tokens yet.',
    columns: ['For', 'Acts as', 'Opens', 'Purpose', 'Issued', 'Last used', 'Ends', 'Ids'],
    sparse: ['Purpose'],
    filters: (fields) => [
      inputField('q', 'Search', {
        ...{ type: 'search', required: false, maxlength: 100 },
        value: fields.get('q') ?? '',
      }),
      parameterFields([
        {
          ...{ name: 'show', comment: 'Show', value: fields.get('show') ?? '' },
          choices: [
            ['', 'Tokens in use'],
            ['all', 'All, including ended ones'],
          ],
        },
      ]),
    ],
    list: async (request, fields) => {
      const asked = optional(fields, 'q');
      const shown = fields.get('id') ?? '';
      const found = asked === undefined ? [] : await people.usersNamed(request, asked);
      const tokens: Token[] = [...(await accounts.tokensOf(undefined)), ...accounts.listAnalystTokens()];
      const isAll = shown !== '' || fields.get('show') === 'all';
      const records = await recordsFound(parts, request, asked, tokens.map(recordOf));
      const row = rowsOf(parts, request, await administration.lastUses(), shown !== '');
      return Promise.all(
        tokens
          .filter((token) => isAll || stateOf(token) === 'in use')
          .sort((a, b) => b.issued - a.issued)
          .map((token) => row(token, asked, found, records)),
      );
    },
    forms: [appTokenForm(parts), ...(parts.site.hasAnalysts ? [analystTokenForm(parts)] : [])],
    rowForms: [
      {
        act: 'revoke',
        decision: 'token revoke',
        title: 'Revoke this token',
        hint: 'Whatever signs in with it loses access at once.',
        button: 'Revoke the token',
        isDanger: true,
        isFor: (id) => tokenOf(accounts, id)?.revoked === false,
        about: ({ id }) => {
          const { app, user, record } = tokenOf(accounts, id) ?? {};
          return { app, user, record, token_id: id };
        },
        asks: async ({ id, request }) => {
          const { app, user } = tokenOf(accounts, id) ?? {};
          const whose =
            app === undefined ? 'An analyst’s tools' : `“${(await flow.manifestOf(app))?.name ?? app}”`;
          const name = user === undefined ? '' : ` in the name of ${await namedUser(parts, request, user)}`;
          return `${whose} will no longer be able to use this token${name}. This cannot be undone.`;
        },
        run: async ({ id }) => {
          await accounts.revoke(id);
          await accounts.revokeAnalystToken(id);
        },
        done: 'Token revoked.',
      },
    ],
  };
};

const tokenOf = (accounts: Accounts, id: string): Partial<AccessToken> | undefined =>
  accounts.tokenById(id) ?? accounts.listAnalystTokens().find((token) => token.id === id);

const stateOf = ({ revoked, expires }: Token): 'revoked' | 'ended' | 'in use' =>
  revoked ? 'revoked' : expires <= Date.now() ? 'ended' : 'in use';

function rowsOf(
  parts: PageParts,
  request: PageRequest,
  { uses, from }: Awaited<ReturnType<PageParts['administration']['lastUses']>>,
  isOne: boolean,
) {
  const names = new Map<string, Promise<string>>();
  const appName = (app: string): Promise<string> => {
    const name = names.get(app) ?? parts.flow.manifestOf(app).then((found) => found?.name ?? app);
    names.set(app, name);
    return name;
  };
  const lastUse = ({ id, issued }: Token): string => {
    const time = uses.get(id);
    if (time !== undefined) return readableMinute(time);
    return from <= issued ? 'never' : `not since ${dayOf(from)}`;
  };
  return async (
    token: Token,
    asked: string | undefined,
    users: readonly string[],
    records: ReadonlySet<string>,
  ): Promise<Row> => {
    const record = recordOf(token);
    const { id, user, issued, expires } = token;
    const state = stateOf(token);
    const { app, scope } = isOfAnalyst(token) ? {} : token;
    const found = [user, app].some((each) => each?.toLowerCase().includes(asked?.toLowerCase() ?? ' '));
    const all = [
      ...(app === undefined ? [] : [['App', app] as const]),
      ...(user === undefined ? [] : [['User', user] as const]),
      ['Token', id] as const,
      ...(scope === undefined ? [] : [['FHIR scopes', scope] as const]),
    ];
    return {
      id,
      isFound: asked !== undefined && (found || users.includes(user ?? '') || records.has(record ?? '')),
      cells: [
        app === undefined ? 'An analyst’s tools' : await appName(app),
        user === undefined ? 'itself' : () => namedUser(parts, request, user),
        record === undefined ? opened(token) : () => namedRecord(parts, request, record),
        isOfAnalyst(token) ? token.purpose : '',
        dayOf(issued),
        !isOfAnalyst(token) && token.isRefresh ? 'gives other tokens' : lastUse(token),
        state === 'in use' ? dayOf(expires) : state === 'revoked' ? 'revoked' : `ended ${dayOf(expires)}`,
        ids(all, isOne),
      ],
    };
  };
}

const recordOf = (token: Token): string | undefined => (isOfAnalyst(token) ? undefined : token.record);

function opened(token: Token): string {
  if (!isOfAnalyst(token)) {
    if (!opensMany(token)) return 'no record';
    return token.user === undefined ? 'every record' : 'every record that they may open';
  }
  if (token.isAggregate) return 'analyses of all records, without small groups';
  return token.isIdentified ? 'all records, with names' : 'all records, without names';
}
