import { readableMinute } from '../../http/html/readable.js';
import { AccountError } from '../../access/accounts/account-ids.js';
import { byAdministrator } from '../../access/log/access-entry.js';
import { userRoles, type UserRole } from '../../access/accounts/users.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import type { Content } from '../../http/html/html.js';
import type { Fields, PageRequest } from '../../http/sign-in/page-request.js';
import { vcard } from '../../rdf/vocabulary.js';
import { needed, optional, type Acting, type MakeSection } from './section.js';
import { signInForms } from './sign-in-forms.js';
import { namedUser } from './user-meant.js';
import { givenTexts } from './what-was-given.js';
import { newUserName, opensGiven, recordsOpen, recordsTyped, rolesOf, whoGetsWhat } from './who-gets-what.js';

const short = { maxlength: 200, autocomplete: 'off' } as const;
const ofUser = ({ id }: Acting) => ({ user: id });

/** Records that a user was given these records, or lost them: patients see it. */
function auditRecords(
  { admin, flow }: Acting,
  decision: 'user grant' | 'user ungrant',
  user: string,
  records: readonly string[],
): void {
  for (const record of records) flow.audit(decision, { user, record, reason: byAdministrator(admin.id) });
}

/** Users: what `chartgraph user` does. */
export const usersSection: MakeSection = (parts) => {
  const { administration, people, flow } = parts;
  const roles = rolesOf(flow.accounts);
  const nameOf = (request: PageRequest, record: string): Promise<string> =>
    people.holder(request, record).then((holder) => `${holder?.name ?? 'no such record'} (${record})`);
  const opensAll = (role: UserRole): boolean => role === 'clinician' && flow.accounts.isOpenToClinicians();
  const opensOwn = (id: string): boolean => {
    const { role = 'admin' } = flow.accounts.user(id) ?? {};
    return opensGiven(role) && !opensAll(role);
  };
  const givenIn = (acting: Acting): Promise<string[]> => {
    needed(acting.fields, 'records', 'the number of a record');
    return recordsTyped(parts, acting);
  };
  const recordsOf = (id: string): readonly string[] => recordsOpen(flow.accounts.user(id));
  return {
    name: 'users',
    title: 'Users',
    one: 'user',
    about: 'Who can sign in. Open a user to change their name, role, records, password or second factor.',
    none: 'No users yet.',
    titleColumn: 1,
    sparse: ['Provider identifier'],
    columns: ['User', 'Name', 'Role', 'Records', 'Provider identifier', 'Second factor', 'Last sign-in'],
    list: async (request, fields) => {
      const asked = optional(fields, 'q');
      const isTable = fields.get('format') === 'csv';
      const found = asked === undefined ? [] : await people.usersNamed(request, asked);
      return flow.accounts.listUsers().map(({ id, role, practitioner = '', signedIn }) => ({
        id,
        isFound: found.includes(id) || recordsOf(id).includes(asked ?? ''),
        cells: [
          id,
          () => people.userName(request, id),
          role,
          // The list names nobody whose record it is.
          opensAll(role)
            ? 'every record'
            : fields.get('id') === id
              ? async () => (await Promise.all(recordsOf(id).map((each) => nameOf(request, each)))).join(', ')
              : isTable
                ? recordsOf(id).join(' ')
                : counted(recordsOf(id).length),
          practitioner,
          flow.grants.secondFactors.has(id) ? 'yes' : 'no',
          signedIn === undefined ? '' : readableMinute(signedIn),
        ],
      }));
    },
    forms: [
      {
        act: 'add',
        decision: 'user add',
        title: 'Add a user',
        hint: `${roles}${flow.settings.passwords ? ' You set the password on the next page.' : ''}`,
        button: 'Add the user',
        fields: (_, __, typed) => [
          inputField('user', 'User name', { ...short, value: typed.get('user') ?? '' }),
          nameFields(typed),
          recordField('Records to give them, if any: record numbers, with spaces between', typed, false),
        ],
        about: ({ fields }) => ({ user: fields.get('user')?.trim() }),
        asks: async (acting) => {
          newUserName(parts, acting);
          const user = ofFields(acting.fields);
          const records = await recordsTyped(parts, acting);
          if (records.length > 0 && !opensGiven(user.role))
            throw new AccountError(
              `The role ${user.role} opens no records: leave the records empty, or choose another role.`,
            );
          return whoGetsWhat(parts, acting, { ...user, records });
        },
        run: async (acting) => {
          const id = newUserName(parts, acting);
          const records = await recordsTyped(parts, acting);
          const user = ofFields(acting.fields);
          await administration.addUser({ id, ...user, records });
          auditRecords(acting, 'user grant', id, records);
          return { made: id, given: givenTexts.role(user.role) };
        },
        done: `User added.${flow.settings.passwords ? ' Now set a password, so that they can sign in.' : ''}`,
      },
    ],
    rowForms: [
      {
        act: 'give',
        decision: 'user grant',
        title: 'Give access to records',
        button: 'Give access',
        isFor: opensOwn,
        fields: (_, __, typed) => recordField('Record numbers, with spaces between', typed, true),
        about: async (acting) => ({ user: acting.id, record: (await givenIn(acting))[0] }),
        asks: async (acting) => {
          const name = await people.userName(acting.request, acting.id);
          const role = flow.accounts.user(acting.id)?.role ?? 'person';
          return whoGetsWhat(parts, acting, { role, records: await givenIn(acting), name });
        },
        run: async (acting) => {
          const [first = '', ...others] = await givenIn(acting);
          const before = recordsOf(acting.id);
          await administration.changeUser(acting.id, { more: [first, ...others] });
          // The act itself is recorded with the first.
          const more = others.filter((each) => !before.includes(each));
          auditRecords(acting, 'user grant', acting.id, more);
        },
        done: 'They have access now.',
      },
      {
        act: 'take',
        decision: 'user ungrant',
        title: 'Remove access to a record',
        hint: 'Apps they let into the record lose access as well.',
        button: 'Remove access',
        isDanger: true,
        isFor: (id) => opensOwn(id) && recordsOf(id).length > 0,
        fields: async (id, request) =>
          parameterFields([
            {
              ...{ name: 'records', comment: 'Record', value: '' },
              choices: await Promise.all(
                recordsOf(id).map(async (each) => [each, await nameOf(request, each)] as const),
              ),
            },
          ]),
        about: ({ id, fields }) => ({ user: id, record: fields.get('records') }),
        asks: async ({ id, request, fields }) => {
          const record = needed(fields, 'records', 'the record');
          return `${await namedUser(parts, request, id)} will no longer be able to open the record of ${await nameOf(request, record)}.`;
        },
        run: async ({ id, fields }) => {
          await administration.changeUser(id, { less: [needed(fields, 'records', 'the record')] });
        },
        done: 'Their access to the record has ended.',
      },
      {
        act: 'change',
        decision: 'user change',
        title: 'Name and role',
        hint: `${roles} A new role signs them out everywhere.`,
        button: 'Save',
        fields: async (id, request, typed) => {
          const names = new Map(await people.userNames(request, id));
          const role = flow.accounts.user(id)?.role ?? 'person';
          const [given = '', family = ''] = [names.get(vcard['given-name']), names.get(vcard['family-name'])];
          return nameFields(
            new Map([...Object.entries({ given_name: given, family_name: family, role }), ...typed]),
          );
        },
        about: ofUser,
        asks: (acting) => {
          const { name, role } = ofFields(acting.fields);
          if (acting.id === acting.admin.id && role !== acting.admin.role)
            throw new AccountError('You cannot take your own role from yourself; ask another administrator.');
          const { records = [] } = flow.accounts.user(acting.id) ?? {};
          return whoGetsWhat(parts, acting, { role, records, name });
        },
        run: async (acting) => {
          const { id, fields } = acting;
          const { givenName, familyName, role } = ofFields(fields);
          const lost = opensGiven(role) ? [] : recordsOpen(flow.accounts.user(id));
          const had = new Map(await people.userNames(acting.request, id));
          const isRenamed =
            had.get(vcard['given-name']) !== givenName || had.get(vcard['family-name']) !== familyName;
          const { before } = await administration.changeUser(id, { givenName, familyName, role, less: lost });
          auditRecords(acting, 'user ungrant', id, lost);
          return { given: givenTexts.change(role, before, isRenamed) };
        },
        done: 'Changes saved.',
      },
      {
        act: 'practitioner',
        decision: 'user change',
        title: 'Patients in their care',
        hint: 'A clinician can also open records that name them as giving care, for example by the NPI number of the provider at a visit, until 90 days after it, unless this container has other rules.',
        button: 'Save',
        isFor: (id) => flow.accounts.user(id)?.role === 'clinician',
        fields: (id, _, typed) => {
          const value = typed.get('practitioner') ?? flow.accounts.user(id)?.practitioner ?? '';
          return inputField('practitioner', 'Provider identifier, such as an NPI number (empty for none)', {
            ...short,
            value,
            required: false,
          });
        },
        about: ofUser,
        asks: async ({ id, request, fields }) => {
          const practitioner = optional(fields, 'practitioner');
          const known = flow.accounts.user(id)?.practitioner;
          // What cannot be one is refused without a question.
          if (practitioner === undefined || practitioner === known || /\s/u.test(practitioner))
            return undefined;
          const name = await people.userName(request, id);
          return `${name} (${id}) will see everything in every record that names ${practitioner} as giving care, and let apps into it.`;
        },
        run: async ({ id, fields }) => {
          const { practitioner: was = '' } = flow.accounts.user(id) ?? {};
          const practitioner = optional(fields, 'practitioner') ?? '';
          await administration.changeUser(id, { practitioner });
          return { given: givenTexts.provider(practitioner, was) };
        },
        done: 'Changes saved.',
      },
      ...signInForms(parts),
    ],
  };
};

const counted = (records: number): string =>
  records === 0 ? '' : records === 1 ? '1 record' : `${records} records`;

function nameFields(now: Fields): Content {
  const value = (name: string): string => now.get(name) ?? '';
  return [
    inputField('given_name', 'Given name', { ...short, value: value('given_name') }),
    inputField('family_name', 'Family name', { ...short, value: value('family_name') }),
    parameterFields([{ name: 'role', comment: 'Role', value: value('role'), choices: userRoles }]),
  ];
}

const recordField = (label: string, typed: Fields, required: boolean): Content =>
  inputField('records', label, { ...short, value: typed.get('records') ?? '', required });

function ofFields(fields: Fields) {
  const givenName = needed(fields, 'given_name', 'the given name');
  const familyName = needed(fields, 'family_name', 'the family name');
  const role = userRoles.find((each) => each === fields.get('role'));
  if (role === undefined) throw new AccountError('Choose a role.');
  return {
    givenName,
    familyName,
    name: `${givenName} ${familyName}`,
    role,
  };
}
