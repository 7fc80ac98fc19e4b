import { AccountError } from '../../access/accounts/account-ids.js';
import { openAddresses, readManifest, type AppManifest } from '../../access/accounts/manifest.js';
import { inputField } from '../../http/html/form-fields.js';
import { html, type Html } from '../../http/html/html.js';
import { needed, optional, type MakeSection } from './section.js';

const DAY = 24 * 60 * 60 * 1000;

/** Apps: what `chartgraph app` does. */
export const appsSection: MakeSection = ({ administration, flow: { accounts, manifestOf } }) => ({
  name: 'apps',
  title: 'Apps',
  about: 'What is installed. Open an app to remove it.',
  columns: ['App', 'Name', 'Kind'],
  list: () =>
    accounts.listApps().map(({ id, mode }) => ({
      id,
      cells: [id, async () => (await manifestOf(id))?.name ?? '', mode],
    })),
  forms: [
    {
      act: 'add',
      decision: 'app add',
      title: 'Install an app, or change an installed one',
      button: 'Install',
      fields: () => [
        area('manifest', 'Manifest (JSON)', true),
        area('public_key', 'RSA public key (PEM), for an app that signs with RSA', false),
      ],
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
        const facts = { app: id };
        return isNew
          ? { facts, shown: { text: `${name} is installed.${warning}`, values: secrets } }
          : { facts };
      },
      done: 'The app is changed. It keeps its secret.',
    },
  ],
  rowForms: [
    {
      act: 'remove',
      decision: 'app remove',
      title: 'Remove this app',
      hint: 'Ends all access that it has. This cannot be undone.',
      button: 'Remove the app',
      isDanger: true,
      ends: true,
      run: async ({ id }) => {
        await administration.removeApp(id);
        return { facts: { app: id } };
      },
      done: 'The app is removed.',
    },
  ],
});

/** Tokens of apps and analysts: what `chartgraph token` does. */
export const tokensSection: MakeSection = ({ administration, settings, flow: { accounts } }) => ({
  name: 'tokens',
  title: 'Tokens',
  about:
    'Tokens of apps, and of analysts for their tools. Their secrets are never shown. Open one to revoke it.',
  columns: ['Token', 'App', 'User', 'Record', 'Until', 'State'],
  list: async () => {
    const ofApps = (await accounts.tokensOf(undefined)).map((token) => ({
      ...token,
      app: token.scope === undefined ? token.app : `${token.app}: ${token.scope}`,
    }));
    const ofAnalysts = accounts.listAnalystTokens().map((token) => ({
      ...token,
      app: token.isIdentified ? 'analyst, sees who people are' : 'analyst',
      record: undefined,
    }));
    const all = [...ofApps, ...ofAnalysts].sort((a, b) => b.issued - a.issued);
    return all.map(({ id, app, user = '', record = '', expires, revoked }) => {
      const state = revoked ? 'revoked' : expires <= Date.now() ? 'expired' : 'in use';
      return { id, cells: [id, app, user, record, new Date(expires).toISOString().slice(0, 10), state] };
    });
  },
  forms: [
    {
      act: 'issue',
      decision: 'token issue',
      title: 'Issue a token to an app',
      button: 'Issue the token',
      fields: () => [
        inputField('app', 'App', { maxlength: 64, autocomplete: 'off' }),
        inputField('user', 'In whose name (user)', { maxlength: 64, autocomplete: 'off' }),
        inputField('record', 'The record it opens, if any', { required: false, maxlength: 64 }),
      ],
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
          facts: { app, user, record, token_id: id },
          shown: { text: `The token ${id} is issued.`, values },
        };
      },
      done: '',
    },
    {
      act: 'issue-analyst',
      decision: 'token issue',
      title: 'Issue a token to an analyst',
      button: 'Issue the analyst’s token',
      fields: () => [
        inputField('analyst', 'Analyst (user)', { maxlength: 64, autocomplete: 'off' }),
        inputField('purpose', 'Why, for the access log', { maxlength: 500, autocomplete: 'off' }),
        inputField('days', 'Valid for (days)', { inputmode: 'numeric', maxlength: 4, value: '7' }),
        html`<p>
          <label><input type="checkbox" name="identified" value="1" /> It shows who people are</label>
        </p>`,
      ],
      run: async ({ fields }) => {
        const user = needed(fields, 'analyst', 'the analyst');
        const purpose = needed(fields, 'purpose', 'why');
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
          facts: { user, token_id: issued.id, purpose },
          shown: { text: `The token ${issued.id} is issued.`, values: [['Bearer token', issued.token]] },
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
      hint: 'It ends at once.',
      button: 'Revoke the token',
      isDanger: true,
      run: async ({ id }) => {
        const { app, user, record } = accounts.tokenById(id) ?? {};
        const known = [await accounts.revoke(id), await accounts.revokeAnalystToken(id)];
        if (!known.includes(true)) throw new AccountError('There is no such token.');
        return { facts: { app, user, record, token_id: id } };
      },
      done: 'The token is revoked.',
    },
  ],
});

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
