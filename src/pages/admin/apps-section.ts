import { AccountError } from '../../access/accounts/account-ids.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { AccessToken } from '../../access/accounts/tokens.js';
import { openAddresses, readManifest, type AppManifest } from '../../access/accounts/manifest.js';
import { permissionsOf } from '../../access/oauth/listed-calls.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import { html, type Html } from '../../http/html/html.js';
import { dayOf, uncapital } from '../../http/html/readable.js';
import { needed, optional, type MakeSection } from './section.js';

const DAY = 24 * 60 * 60 * 1000;
const KINDS = {
  ui: 'opened by people',
  frame_ui: 'opened by people, shows other apps',
  background: 'runs by itself',
};

/** Apps: what `chartgraph app` does. */
export const appsSection: MakeSection = ({ administration, program, flow: { accounts, manifestOf } }) => ({
  name: 'apps',
  title: 'Apps',
  about: 'Installed apps, and what each may do in a record that lets it in. Open an app to remove it.',
  none: 'No apps yet.',
  columns: ['Name', 'Id', 'Kind', 'What it may do'],
  list: () =>
    Promise.all(
      accounts.listApps().map(async ({ id, mode }) => {
        const manifest = await manifestOf(id);
        if (!manifest) return { id, cells: [id, id, KINDS[mode], ''] };
        const { readsAll, reads, writes } = permissionsOf(program.ontology, manifest);
        const all = [...(readsAll ? ['See everything in the record'] : reads), ...writes]
          .map((each, at) => (at === 0 ? each : uncapital(each)))
          .join('; ');
        return { id, cells: [manifest.name, id, KINDS[mode], readsAll ? { strong: all } : all] };
      }),
    ),
  forms: [
    {
      act: 'add',
      decision: 'app add',
      title: 'Install an app, or change an installed one',
      hint: 'A new app gets a secret, which is shown once, on the next page. A changed app keeps its own.',
      button: 'Install',
      fields: () => [
        area('manifest', 'Manifest (JSON)', true),
        area('public_key', 'RSA public key (PEM), for an app that signs with RSA', false),
      ],
      about: ({ fields }) => ({ app: /"id"\s*:\s*"([^"]*)"/u.exec(fields.get('manifest') ?? '')?.[1] }),
      run: async ({ fields }) => {
        const manifest = readPasted(needed(fields, 'manifest', 'the manifest'));
        const { id, name } = manifest;
        const isNew = accounts.app(id) === undefined;
        const publicKey = optional(fields, 'public_key');
        const secret = await administration.installApp(
          manifest,
          publicKey === undefined ? {} : { publicKey },
        );
        const open = openAddresses(manifest);
        const warning =
          open.length === 0
            ? ''
            : ` Use https for ${open.join(', ')}: over http others on the way can read it.`;
        // The secret of an installed app stays as it is, and is not shown again.
        const secrets: [string, string][] = isNew
          ? [
              ['Consumer key', id],
              ['Consumer secret', secret],
            ]
          : [];
        return isNew ? { shown: { text: `${name} is installed.${warning}`, values: secrets } } : {};
      },
      done: 'The app is changed. It keeps its secret.',
    },
  ],
  rowForms: [
    {
      act: 'remove',
      decision: 'app remove',
      title: 'Remove this app',
      button: 'Remove the app',
      isDanger: true,
      ends: true,
      about: ({ id }) => ({ app: id }),
      asks: ({ id }) => `${id} is removed, and all access that it has ends. This cannot be undone.`,
      run: async ({ id }) => {
        await administration.removeApp(id);
      },
      done: 'The app is removed.',
    },
  ],
});

/** Tokens of apps and analysts: what `chartgraph token` does. */
export const tokensSection: MakeSection = ({
  administration,
  settings,
  people,
  flow: { accounts, manifestOf },
}) => ({
  name: 'tokens',
  title: 'Tokens',
  about:
    'Apps and analysts’ tools sign in with tokens. A token is shown once, when it is issued. Open one to revoke it.',
  none: 'No tokens yet.',
  columns: ['For', 'Acts as', 'Record', 'Purpose', 'Issued', 'Until', 'Status'],
  list: async (request, fields) => {
    const asked = optional(fields, 'q')?.toLowerCase();
    const ofApps = await Promise.all(
      (await accounts.tokensOf(undefined)).map(async (token) => {
        const name = (await manifestOf(token.app))?.name;
        const app = name === undefined ? token.app : `${name} (${token.app})`;
        return { ...token, app: token.scope === undefined ? app : `${app}: ${token.scope}`, purpose: '' };
      }),
    );
    const ofAnalysts = accounts.listAnalystTokens().map((token) => ({
      ...token,
      app: token.isIdentified ? 'Analyst, with names and other identifiers' : 'Analyst',
      record: undefined,
    }));
    const all = [...ofApps, ...ofAnalysts].sort((a, b) => b.issued - a.issued);
    return all.map(({ id, app, user = '', record = '', purpose, issued, expires, revoked }) => {
      const state = revoked ? 'revoked' : expires <= Date.now() ? 'expired' : 'in use';
      const name = async (): Promise<string> =>
        user === '' ? '' : `${await people.userName(request, user)} (${user})`;
      const isFound = asked !== undefined && user.toLowerCase().includes(asked);
      return { id, isFound, cells: [app, name, record, purpose, dayOf(issued), dayOf(expires), state] };
    });
  },
  forms: [
    {
      act: 'issue',
      decision: 'token issue',
      title: 'Issue a token to an app',
      hint: 'The token and its secret are shown once, on the next page. Have a safe place for them ready.',
      button: 'Issue the token',
      fields: () => [
        parameterFields([
          { name: 'app', comment: 'App', value: '', choices: accounts.listApps().map(({ id }) => id) },
        ]),
        inputField('user', 'Acts as (user)', { maxlength: 64, autocomplete: 'off' }),
        inputField('record', 'Record that it opens (number), if any', { required: false, maxlength: 64 }),
      ],
      about: ({ fields }) => ({
        app: fields.get('app'),
        user: fields.get('user')?.trim(),
        record: optional(fields, 'record'),
      }),
      asks: ({ fields }) => {
        const record = optional(fields, 'record');
        const opens = record === undefined ? '' : `, and opens record ${record}`;
        return `${needed(fields, 'app', 'the app')} acts as ${needed(fields, 'user', 'the user')} with this token${opens}.`;
      },
      run: async ({ fields }) => {
        const app = needed(fields, 'app', 'the app');
        const user = needed(fields, 'user', 'the user');
        const record = optional(fields, 'record');
        const lifetime = settings.tokenLifetime;
        const { id, token, secret } = await administration.issueAppToken({ app, user, record, lifetime });
        const values: [string, string][] = [
          ['Token', token],
          ['Token secret', secret],
        ];
        return {
          facts: { token_id: id },
          shown: { text: `The token is issued. With it, ${app} acts as ${user}.`, values },
        };
      },
      done: '',
    },
    {
      act: 'issue-analyst',
      decision: 'token issue',
      title: 'Issue a token to an analyst',
      hint: 'Tools ask questions over all records with it. It is shown once, on the next page.',
      button: 'Issue the analyst’s token',
      fields: () => [
        inputField('analyst', 'Analyst (user)', { maxlength: 64, autocomplete: 'off' }),
        inputField('purpose', 'Purpose, which the access log keeps', { maxlength: 500, autocomplete: 'off' }),
        inputField('days', 'Valid for (days)', { inputmode: 'numeric', maxlength: 4, value: '7' }),
        html`<p>
          <label
            ><input type="checkbox" name="identified" value="1" /> Include names and other identifiers</label
          >
        </p>`,
      ],
      about: ({ fields }) => ({ user: fields.get('analyst')?.trim() }),
      asks: ({ fields }) => {
        const names = fields.get('identified') === '1' ? 'with' : 'without';
        return `With this token, tools of ${needed(fields, 'analyst', 'the analyst')} read all records, ${names} names and other identifiers, for ${needed(fields, 'days', 'the days')} days.`;
      },
      run: async ({ fields }) => {
        const user = needed(fields, 'analyst', 'the analyst');
        const purpose = needed(fields, 'purpose', 'the purpose');
        const days = Number(needed(fields, 'days', 'the days'));
        if (!Number.isInteger(days) || days < 1 || days > 3650)
          throw new AccountError('Days are a whole number from 1 to 3650.');
        const isIdentified = fields.get('identified') === '1';
        const issued = await accounts.issueAnalystToken({
          user,
          purpose,
          isIdentified,
          lifetime: days * DAY,
        });
        return {
          facts: { token_id: issued.id, purpose },
          shown: { text: `The token of ${user} is issued.`, values: [['Bearer token', issued.token]] },
        };
      },
      done: '',
    },
  ],
  rowForms: [
    {
      act: 'revoke',
      decision: 'token revoke',
      title: 'Revoke this token',
      hint: 'What signs in with it loses its access at once.',
      button: 'Revoke the token',
      isDanger: true,
      isFor: (id) => tokenOf(accounts, id)?.revoked === false,
      about: ({ id }) => {
        const { app, user, record } = tokenOf(accounts, id) ?? {};
        return { app, user, record, token_id: id };
      },
      run: async ({ id }) => {
        await accounts.revoke(id);
        await accounts.revokeAnalystToken(id);
      },
      done: 'The token is revoked.',
    },
  ],
});

const tokenOf = (accounts: Accounts, id: string): Partial<AccessToken> | undefined =>
  accounts.tokenById(id) ?? accounts.listAnalystTokens().find((token) => token.id === id);

const area = (name: string, label: string, isRequired: boolean): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="6"
      spellcheck="false"
      ${isRequired && html` required`}
    ></textarea>
  </div>`;

function readPasted(text: string): AppManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AccountError('The manifest is not JSON. Paste the whole file.');
  }
  try {
    return readManifest(value);
  } catch (error) {
    throw new AccountError(`This is not an app manifest: ${(error as Error).message}`);
  }
}
