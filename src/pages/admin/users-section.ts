import { AccountError } from '../../access/accounts/account-ids.js';
import { hashNewPassword } from '../../access/accounts/passwords.js';
import { userRoles, type UserRole } from '../../access/accounts/users.js';
import { inputField, parameterFields, passwordField } from '../../http/html/form-fields.js';
import type { Content } from '../../http/html/html.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { vcard } from '../../rdf/vocabulary.js';
import { needed, optional, type MakeSection } from './section.js';

/** Users: what `chartgraph user` does. */
export const usersSection: MakeSection = ({ administration, people, flow: { accounts, grants } }) => ({
  name: 'users',
  title: 'Users',
  about: 'Who can sign in. Open a user to change their name, role, records, password or second factor.',
  columns: ['User', 'Name', 'Role', 'Records', 'Second factor'],
  list: (request) =>
    accounts.listUsers().map(({ id, role, records }) => ({
      id,
      cells: [
        id,
        () => people.userName(request, id),
        role,
        records.join(' '),
        grants.secondFactors.has(id) ? 'yes' : 'no',
      ],
    })),
  forms: [
    {
      act: 'add',
      decision: 'user add',
      title: 'Add a user',
      hint: 'Without a password the user cannot sign in yet.',
      button: 'Add the user',
      fields: () => [
        inputField('user', 'Name to sign in with', { maxlength: 64, autocomplete: 'off' }),
        nameFields('', '', 'person', ''),
        inputField('password', 'Password', {
          type: 'password',
          autocomplete: 'new-password',
          maxlength: 1024,
          required: false,
        }),
      ],
      run: async ({ fields }) => {
        const id = needed(fields, 'user', 'the name to sign in with');
        const password = fields.get('password') ?? '';
        const hash = password === '' ? {} : { passwordHash: await hashNewPassword(id, password) };
        await administration.addUser({ id, ...named(fields), ...hash });
        return { facts: { user: id } };
      },
      done: 'The user is added.',
    },
  ],
  rowForms: [
    {
      act: 'change',
      decision: 'user change',
      title: 'Name, role and records',
      hint: 'A new role ends their sessions. When a user loses a record, so do the apps they let into it.',
      button: 'Save',
      fields: async (id, request) => {
        const names = new Map(await people.userNames(request, id));
        const { role = 'person', records = [] } = accounts.user(id) ?? {};
        const [given, family] = [names.get(vcard['given-name']), names.get(vcard['family-name'])];
        return nameFields(given ?? '', family ?? '', role, records.join(' '));
      },
      run: async ({ id, admin, fields }) => {
        const change = named(fields);
        if (id === admin.id && change.role !== admin.role)
          throw new AccountError('You cannot take your own role from yourself; ask another administrator.');
        await administration.changeUser(id, change);
        return { facts: { user: id } };
      },
      done: 'The user is changed.',
    },
    {
      act: 'password',
      decision: 'user password',
      title: 'New password',
      hint: 'It ends all their sessions.',
      button: 'Set the password',
      fields: () => [
        passwordField('password', 'New password', 'new-password', ''),
        passwordField('again', 'New password again', 'new-password', ''),
      ],
      run: async ({ id, fields }) => {
        const password = fields.get('password') ?? '';
        if (password !== fields.get('again'))
          throw new AccountError('The new passwords differ. Type both again.');
        await accounts.setPassword(id, password);
        return { facts: { user: id } };
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
      run: async ({ id }) => {
        if (!grants.secondFactors.has(id)) throw new AccountError('This user has no second factor.');
        await grants.secondFactors.remove(id);
        return { facts: { user: id } };
      },
      done: 'The second factor is removed.',
    },
    {
      act: 'remove',
      decision: 'user remove',
      title: 'Remove this user',
      hint: 'Ends their sessions and all access that apps have in their name. This cannot be undone.',
      button: 'Remove the user',
      isDanger: true,
      ends: true,
      run: async ({ id, admin }) => {
        if (id === admin.id) throw new AccountError('You cannot remove yourself; ask another administrator.');
        await administration.removeUser(id);
        return { facts: { user: id } };
      },
      done: 'The user is removed.',
    },
  ],
});

function nameFields(given: string, family: string, role: string, records: string): Content {
  return [
    inputField('given_name', 'Given name', { value: given, maxlength: 200, autocomplete: 'off' }),
    inputField('family_name', 'Family name', { value: family, maxlength: 200, autocomplete: 'off' }),
    parameterFields([
      { name: 'role', comment: 'Role', value: role, choices: userRoles },
      { name: 'records', comment: 'Records of a person, with spaces between', value: records, choices: [] },
    ]),
  ];
}

function named(fields: Fields) {
  return {
    givenName: needed(fields, 'given_name', 'the given name'),
    familyName: needed(fields, 'family_name', 'the family name'),
    role: needed(fields, 'role', 'the role') as UserRole,
    records: optional(fields, 'records')?.split(/[\s,]+/u) ?? [],
  };
}
