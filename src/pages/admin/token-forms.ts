import { AccountError } from '../../access/accounts/account-ids.js';
import type { AppManifest } from '../../access/accounts/manifest.js';
import type { PageParts } from '../../http/app-parts.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import { dayOf, uncapital } from '../../http/html/readable.js';
import { unservedTest } from '../../records/example-apps.js';
import { appRightsInWords } from './app-rights.js';
import { needed, optional, type Acting, type Form } from './section.js';
import { givenTexts, LEVELS_IN_LOG } from './what-was-given.js';
import { namedUser, userMeant } from './user-meant.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST_DAYS = 3650;

const LIFETIMES = [
  ['1', 'One day'],
  ['7', 'One week'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const;

/** What a token of an analyst shows, the least first. */
const LEVELS = {
  aggregate: 'Ready-made analyses only, without groups of few patients',
  deidentified: 'All records, without names and other identifiers',
  identified: 'All records, with names and other identifiers',
} as const;

/** Issues a token to an app. */
export function appTokenForm(parts: PageParts): Form {
  const { administration, people, program, settings, flow } = parts;
  const lifetime = settings.tokenLifetime;
  const asked = async ({ request, fields }: Acting) => {
    const app = needed(fields, 'app', 'the app');
    const manifest = await flow.manifestOf(app);
    if (!manifest) throw new AccountError(`There is no app ${JSON.stringify(app)}.`);
    const typed = needed(fields, 'user', 'the user');
    const user = await userMeant(parts, request, typed);
    if (user === undefined) throw new AccountError(`There is no user ${JSON.stringify(typed)}.`);
    return { app, manifest, user, record: optional(fields, 'record') };
  };
  return {
    act: 'issue',
    decision: 'token issue',
    title: 'Issue a token to an app',
    hint: `The app can then act as the user without asking them, for ${days(lifetime)} or until you revoke the token. The next page says what it will be able to do, and asks you. The token and its secret are shown once, so have a safe place for them ready.`,
    button: 'Issue the token',
    fields: async (_, __, typed) => [
      parameterFields([
        {
          ...{ name: 'app', comment: 'App', value: typed.get('app') ?? '' },
          choices: (await appsByName(parts)).map(({ id, name }) => [id, name] as const),
        },
      ]),
      inputField('user', 'User, by name or by what they sign in with', {
        ...{ maxlength: 200, autocomplete: 'off', value: typed.get('user') ?? '' },
      }),
      inputField('record', 'Record number (empty for a token that opens no record)', {
        ...{ required: false, maxlength: 64, autocomplete: 'off', value: typed.get('record') ?? '' },
      }),
    ],
    about: async (acting) => {
      const { app, user, record } = await asked(acting);
      return { app, user, record };
    },
    asks: async (acting) => {
      const { manifest, user, record } = await asked(acting);
      const who = await namedUser(parts, acting.request, user);
      const until = `until ${dayOf(Date.now() + lifetime)}, or until you revoke the token`;
      if (record === undefined)
        return `“${manifest.name}” acts as ${who} ${until}. It opens no record with this token.`;
      if (!flow.accounts.mayOpen(user, record))
        throw new AccountError(
          `${who} may not open record ${record}. Give them access to it first, on their page under Users.`,
        );
      const holder = await people.holder(acting.request, record);
      if (!holder) throw new AccountError(`There is no record ${record}.`);
      const rights = appRightsInWords(program.ontology, manifest);
      return `“${manifest.name}” acts as ${who} in the record of ${holder.name} (${record}) ${until}. What it can do there: ${rights}.`;
    },
    run: async (acting) => {
      const { app, manifest, user, record } = await asked(acting);
      const { id, token, secret } = await administration.issueAppToken({
        ...{ app, user, record, lifetime },
        by: acting.admin.id,
      });
      const who = await namedUser(parts, acting.request, user);
      return {
        facts: { token_id: id },
        given: givenTexts.token(Date.now() + lifetime),
        shown: {
          text: `The token is issued. With it, “${manifest.name}” acts as ${who}.`,
          values: [
            ['Token', token],
            ['Token secret', secret],
          ],
        },
      };
    },
    done: '',
  };
}

/** Issues a token to an analyst. */
export function analystTokenForm(parts: PageParts): Form {
  const { people, flow } = parts;
  const asked = ({ fields }: Acting) => {
    const level = fields.get('level') ?? '';
    if (!isLevel(level)) throw new AccountError('Choose what the analyst sees.');
    const lifetime = Number(needed(fields, 'days', 'the days'));
    if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > MOST_DAYS)
      throw new AccountError(`The number of days is a whole number from 1 to ${MOST_DAYS}.`);
    return {
      user: needed(fields, 'analyst', 'the analyst'),
      purpose: needed(fields, 'purpose', 'the purpose'),
      ...{ level, lifetime: lifetime * DAY },
    };
  };
  return {
    act: 'issue-analyst',
    decision: 'token issue',
    title: 'Issue a token to an analyst',
    hint: 'Their tools ask questions with it. It is shown once, on the next page.',
    button: 'Issue the analyst’s token',
    fields: async (_, request, typed) => {
      const analysts = flow.accounts.listUsers().filter(({ role }) => role === 'analyst');
      const named = await Promise.all(
        analysts.map(async ({ id }) => [id, await namedUser(parts, request, id)] as const),
      );
      const now = (name: string, otherwise = '') => typed.get(name) ?? otherwise;
      return [
        parameterFields([
          { name: 'analyst', comment: 'Analyst', value: now('analyst'), choices: named },
          {
            ...{ name: 'level', comment: 'What they see', value: now('level', 'deidentified') },
            choices: Object.entries(LEVELS),
          },
        ]),
        inputField('purpose', 'Purpose, which the access log keeps', {
          ...{ maxlength: 500, autocomplete: 'off', value: now('purpose') },
        }),
        parameterFields([
          { name: 'days', comment: 'Valid for', value: now('days', '7'), choices: LIFETIMES },
        ]),
      ];
    },
    about: ({ fields }) => ({ user: fields.get('analyst')?.trim() }),
    asks: async (acting) => {
      const { user, level, lifetime } = asked(acting);
      const who = await people.userName(acting.request, user);
      const until = `until ${dayOf(Date.now() + lifetime)}, or until you revoke it`;
      return `With this token, the tools of ${who} (${user}) read this ${until}: ${uncapital(LEVELS[level])}.`;
    },
    run: async (acting) => {
      const { user, purpose, level, lifetime } = asked(acting);
      const reach = { isIdentified: level === 'identified', isAggregate: level === 'aggregate' };
      const issued = await flow.accounts.issueAnalystToken({ user, purpose, lifetime, ...reach });
      const who = await namedUser(parts, acting.request, user);
      return {
        facts: { token_id: issued.id, purpose },
        given: givenTexts.token(Date.now() + lifetime, LEVELS_IN_LOG[level]),
        shown: { text: `The token of ${who} is issued.`, values: [['Bearer token', issued.token]] },
      };
    },
    done: '',
  };
}

const isLevel = (text: string): text is keyof typeof LEVELS => Object.hasOwn(LEVELS, text);

/** Formats a time in milliseconds: "30 days". */
function days(time: number): string {
  const count = Math.round(time / DAY);
  return count === 1 ? 'one day' : `${count} days`;
}

/** Returns the manifests of the installed apps that are served, by name. */
async function appsByName({ flow }: PageParts): Promise<AppManifest[]> {
  const isUnserved = unservedTest(flow);
  const found = await Promise.all(flow.accounts.listApps().map(({ id }) => flow.manifestOf(id)));
  return found
    .filter((each) => each !== undefined)
    .filter((each) => !isUnserved(each))
    .sort((a, b) => a.name.localeCompare(b.name));
}
