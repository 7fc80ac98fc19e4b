import { AccountError } from '../../access/accounts/account-ids.js';
import { userRoles, type UserRole } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import { inputField, parameterFields, passwordField } from '../../http/html/form-fields.js';
import type { Content } from '../../http/html/html.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { vcard } from '../../rdf/vocabulary.js';
import { minute } from './minute.js';
import { needed, optional, type Acting, type MakeSection } from './section.js';

const ROLES =
  'A person opens the records given to them, and so does a clinician, unless this container opens every record to clinicians; an analyst asks questions over all records, and an admin does what these pages do: neither opens one.';
const PRACTITIONER =
  'The identifier by which records name a clinician, such as an NPI number; it opens records that say they give care in them';
const short = { maxlength: 200, autocomplete: 'off' } as const;
const ofUser = ({ id }: Acting) => ({ user: id });

/** Says who gets what by a change, if they get anything that they did not have. */
async function whoGetsWhat(
  { accounts, hasRecord }: Flow,
  { id, fields }: Acting,
): Promise<string | undefined> {
  const { givenName, familyName, role, records, practitioner } = named(fields);
  const before = accounts.user(id);
  const who = `${givenName} ${familyName} (${id || needed(fields, 'user', 'the name to sign in with')})`;
  const isNew = role !== before?.role;
  const more = opensGiven(role) ? records.filter((each) => isNew || !before.records.includes(each)) : [];
  const said = more.map(
    async (each) => `record ${each}${(await hasRecord(each)) ? '' : ', which does not exist yet'}`,
  );
  const getsRole = isNew && role !== 'person' ? `${who} gets the role ${role}. ${ROLES}` : undefined;
  const sees =
    more.length > 0 &&
    `${who} will see everything in ${(await Promise.all(said)).join(' and ')}, and let apps into it.`;
  const inCare =
    practitioner !== '' &&
    practitioner !== before?.practitioner &&
    `${who} will see every record that names the practitioner ${practitioner} as giving care, while it does, and let apps into it.`;
  return [getsRole, sees, inCare].filter(Boolean).join(' ') || undefined;
}

const opensGiven = (role: UserRole): boolean => role === 'person' || role === 'clinician';

/** Records who was given which record, and from whom one was taken: patients see it. */
function auditGiven(
  { admin, flow }: Acting,
  user: string,
  before: readonly string[],
  now: readonly string[],
): void {
  const told = (decision: 'user grant' | 'user ungrant', records: readonly string[]): void => {
    for (const record of records) flow.audit(decision, { user, record, reason: `by ${admin.id}` });
  };
  told(
    'user grant',
    now.filter((each) => !before.includes(each)),
  );
  told(
    'user ungrant',
    before.filter((each) => !now.includes(each)),
  );
}

/** Users: what `chartgraph user` does. */
export const usersSection: MakeSection = ({ administration, people, flow }) => ({
  name: 'users',
  title: 'Users',
  about: 'Who can sign in. Open a user to change their name, role, records, password or second factor.',
  none: 'No users yet.',
  columns: ['User', 'Name', 'Role', 'Records', 'Practitioner', 'Second factor', 'Last sign-in'],
  list: async (request, fields) => {
    const asked = optional(fields, 'q');
    const found = asked === undefined ? [] : await people.usersNamed(request, asked);
    const holder = async (record: string): Promise<string> =>
      `${(await people.holder(request, record))?.name ?? 'no such record'} (${record})`;
    return flow.accounts.listUsers().map(({ id, role, records, practitioner = '', signedIn }) => ({
      id,
      isFound: found.includes(id),
      cells: [
        id,
        () => people.userName(request, id),
        role,
        // The list names nobody whose record it is.
        fields.get('id') === id
          ? async () => (await Promise.all(records.map(holder))).join(', ')
          : records.join(' '),
        practitioner,
        flow.grants.secondFactors.has(id) ? 'yes' : 'no',
        signedIn === undefined ? '' : minute(signedIn),
      ],
    }));
  },
  forms: [
    {
      act: 'add',
      decision: 'user add',
      title: 'Add a user',
      hint: `${ROLES}${flow.settings.passwords ? ' You set the password on the next page.' : ''}`,
      button: 'Add the user',
      fields: (_, __, typed) => [
        inputField('user', 'Name to sign in with', { ...short, value: typed.get('user') ?? '' }),
        nameFields(typed),
      ],
      about: ({ fields }) => ({ user: fields.get('user')?.trim() }),
      asks: (acting) => whoGetsWhat(flow, acting),
      run: async (acting) => {
        const { fields } = acting;
        const id = needed(fields, 'user', 'the name to sign in with');
        await administration.addUser({ id, ...named(fields) });
        auditGiven(acting, id, [], flow.accounts.user(id)?.records ?? []);
        return { made: id };
      },
      done: `The user is added.${flow.settings.passwords ? ' Set a password, so that they can sign in.' : ''}`,
    },
  ],
  rowForms: [
    {
      act: 'change',
      decision: 'user change',
      title: 'Name, role and records',
      hint: `${ROLES} A new role ends their sessions. When a user loses a record, so do the apps they let into it.`,
      button: 'Save',
      fields: async (id, request, typed) => {
        const names = new Map(await people.userNames(request, id));
        const { role = 'person', records = [], practitioner = '' } = flow.accounts.user(id) ?? {};
        const [given = '', family = ''] = [names.get(vcard['given-name']), names.get(vcard['family-name'])];
        const now = {
          given_name: given,
          family_name: family,
          role,
          records: records.join(' '),
          practitioner,
        };
        return nameFields(new Map([...Object.entries(now), ...typed]));
      },
      about: ofUser,
      asks: (acting) => whoGetsWhat(flow, acting),
      run: async (acting) => {
        const { id, admin, fields } = acting;
        const change = named(fields);
        if (id === admin.id && change.role !== admin.role)
          throw new AccountError('You cannot take your own role from yourself; ask another administrator.');
        const before = flow.accounts.user(id)?.records ?? [];
        await administration.changeUser(id, change);
        auditGiven(acting, id, before, flow.accounts.user(id)?.records ?? []);
      },
      done: 'The user is changed.',
    },
    {
      act: 'password',
      decision: 'user password',
      title: 'New password',
      hint: 'It ends all their sessions.',
      isFor: () => flow.settings.passwords,
      button: 'Set the password',
      fields: () => [
        passwordField('password', 'New password', 'new-password', ''),
        passwordField('again', 'New password again', 'new-password', ''),
      ],
      about: ofUser,
      run: async ({ id, fields }) => {
        const password = fields.get('password') ?? '';
        if (password !== fields.get('again'))
          throw new AccountError('The new passwords differ. Type both again.');
        await flow.accounts.setPassword(id, password);
      },
      done: 'The password is set.',
    },
    {
      act: 'second-factor',
      decision: 'user second-factor',
      title: 'Second factor',
      hint: 'Remove it for somebody who lost it: their password alone signs in then.',
      button: 'Remove the second factor',
      isDanger: true,
      isFor: (id) => flow.grants.secondFactors.has(id),
      about: ofUser,
      run: async ({ id }) => {
        await flow.grants.secondFactors.remove(id);
      },
      done: 'The second factor is removed.',
    },
    {
      act: 'remove',
      decision: 'user remove',
      title: 'Remove this user',
      button: 'Remove the user',
      isDanger: true,
      ends: true,
      isFor: (id, admin) => id !== admin,
      about: ofUser,
      asks: ({ id }) =>
        `${id} cannot sign in any more, and all access that apps have in their name ends. This cannot be undone.`,
      run: async ({ id }) => {
        await administration.removeUser(id);
      },
      done: 'The user is removed.',
    },
  ],
});

function nameFields(now: Fields): Content {
  const value = (name: string): string => now.get(name) ?? '';
  const records = 'Records given to a person or clinician: their numbers, with spaces between';
  return [
    inputField('given_name', 'Given name', { ...short, value: value('given_name') }),
    inputField('family_name', 'Family name', { ...short, value: value('family_name') }),
    parameterFields([
      { name: 'role', comment: 'Role', value: value('role'), choices: userRoles },
      { name: 'records', comment: records, value: value('records'), choices: [] },
    ]),
    inputField('practitioner', PRACTITIONER, { ...short, value: value('practitioner') }),
  ];
}

function named(fields: Fields) {
  return {
    givenName: needed(fields, 'given_name', 'the given name'),
    familyName: needed(fields, 'family_name', 'the family name'),
    role: needed(fields, 'role', 'the role') as UserRole,
    records: optional(fields, 'records')?.split(/[\s,]+/u) ?? [],
    practitioner: optional(fields, 'practitioner') ?? '',
  };
}
