import { AccountError } from '../../access/accounts/account-ids.js';
import { isAlive, type AccessToken } from '../../access/accounts/tokens.js';
import { openAddresses, readManifest, type AppManifest } from '../../access/accounts/manifest.js';
import type { Flow } from '../../access/oauth/flow.js';
import { html, type Html } from '../../http/html/html.js';
import { capital } from '../../http/html/readable.js';
import { unservedTest } from '../../records/example-apps.js';
import { appRights, appRightsInWords, EVERYTHING } from './app-rights.js';
import { strong } from './list-cells.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { needed, optional, type MakeSection } from './section.js';

const KINDS = {
  ui: 'opened by people',
  frame_ui: 'opened by people, shows other apps',
  background: 'runs by itself, in every record',
};

/** Apps: what `chartgraph app` does. */
export const appsSection: MakeSection = ({
  administration,
  program,
  flow,
  flow: { accounts, manifestOf },
}) => ({
  name: 'apps',
  title: 'Apps',
  one: 'app',
  about:
    'Installed apps, and what each may do in a record that lets it in, or in every record if it runs by itself. Open an app to remove it.',
  none: 'No apps yet.',
  columns: ['Name', 'Id', 'Kind', 'What it may do'],
  list: async () => {
    const isUnserved = unservedTest(flow);
    const rows = await Promise.all(
      accounts.listApps().map(async ({ id, mode }) => {
        const manifest = await manifestOf(id);
        if (!manifest) return { id, name: id, cells: [id, id, KINDS[mode], ''] };
        const { readsAll } = appRights(program.ontology, manifest);
        const all = capital(appRightsInWords(program.ontology, manifest));
        const kind = isUnserved(manifest) ? 'example, not served here' : KINDS[mode];
        const rights = readsAll ? strong(EVERYTHING, all.slice(EVERYTHING.length)) : all;
        return { id, name: manifest.name, cells: [manifest.name, id, kind, rights] };
      }),
    );
    return rows.sort((a, b) => a.name.localeCompare(b.name));
  },
  forms: [
    {
      act: 'add',
      decision: 'app add',
      title: 'Install an app, or change an installed one',
      hint: 'A new app gets a secret, which is shown once, on the next page. A changed app keeps its own.',
      button: 'Install',
      fields: (_, __, typed) => [
        area('manifest', 'Manifest (JSON)', true, typed),
        area('public_key', 'RSA public key (PEM), for an app that signs with RSA', false, typed),
      ],
      asks: async ({ fields }) => {
        const manifest = readPasted(needed(fields, 'manifest', 'the manifest'));
        const { id, name, author } = manifest;
        const known = await manifestOf(id);
        const named = `“${name}” (${id}) by ${author}`;
        const replaced = known && known.name !== name ? ` in the place of “${known.name}”` : '';
        const rights = appRightsInWords(program.ontology, manifest);
        return [
          accounts.app(id) ? `${named} will be changed${replaced}.` : `${named} will be installed.`,
          rights === '' ? 'It may do nothing in a record.' : `${whereItMay(manifest)}, it may: ${rights}.`,
          ...(await namesakes(flow, manifest)),
          whereItLeads(manifest),
        ]
          .filter((sentence) => sentence !== '')
          .join(' ');
      },
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
            : ` Use https for ${open.join(', ')}: over http, others on the network can read what is sent.`;
        // The secret of an installed app stays as it is, and is not shown again.
        const secrets: [string, string][] = isNew
          ? [
              ['Consumer key', id],
              ['Consumer secret', secret],
            ]
          : [];
        return isNew ? { shown: { text: `${name} is installed.${warning}`, values: secrets } } : {};
      },
      done: 'App changed. It keeps its secret.',
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
      asks: async ({ id }) => {
        const isUsed = (token: AccessToken): boolean => token.app === id && isAlive(token, Date.now());
        const used = (await accounts.tokensOf(undefined)).filter(isUsed);
        const people = new Set(used.map(({ user }) => user).filter((each) => each !== undefined)).size;
        const name = (await manifestOf(id))?.name ?? id;
        const whose =
          people === 0 ? '' : `, including in the name of ${people === 1 ? 'one user' : `${people} users`}`;
        return `“${name}” will be removed, and all its access will end${whose}. This cannot be undone.`;
      },
      run: async ({ id }) => {
        await administration.removeApp(id);
      },
      done: 'App removed.',
    },
  ],
});

const whereItMay = ({ mode }: AppManifest): string =>
  mode === 'background' ? 'In every record, without anybody letting it in' : 'In a record that lets it in';

/** Says which other apps have the name of an app: people tell apps apart by it. */
async function namesakes({ accounts, manifestOf }: Flow, { id, name }: AppManifest): Promise<string[]> {
  const all = await Promise.all(accounts.listApps().map((each) => manifestOf(each.id)));
  return all
    .filter((each) => each !== undefined && each.id !== id && each.name.toLowerCase() === name.toLowerCase())
    .map((each) => `Another app has this name already: ${each?.id ?? ''}.`);
}

/** Says to which addresses people are sent. */
function whereItLeads({
  index,
  smart_launch_url: start,
  oauth_callback,
  redirect_uris = [],
}: AppManifest): string {
  const opened = [...new Set([index, start])].filter((url) => url !== undefined);
  const back = [...new Set([oauth_callback, ...redirect_uris])].filter((url) => url !== undefined);
  return [
    opened.length > 0 && `People open it at ${opened.join(' and ')}.`,
    back.length > 0 && `Once they have let it in, they are sent to ${back.join(' or ')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

const area = (name: string, label: string, isRequired: boolean, typed: Fields): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea id="${name}" name="${name}" rows="6" spellcheck="false" ${isRequired && html` required`}>
${typed.get(name)}</textarea>
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
