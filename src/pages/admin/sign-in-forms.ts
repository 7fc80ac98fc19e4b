import { AccountError } from '../../access/accounts/account-ids.js';
import { passwordField } from '../../http/html/form-fields.js';
import type { PageParts } from '../../http/app-parts.js';
import { namedUser } from './user-meant.js';
import type { Acting, Form } from './section.js';

const ofUser = ({ id }: Acting) => ({ user: id });

/** The forms of how a user signs in, and of their end. */
export function signInForms(parts: PageParts): Form[] {
  const { administration, flow } = parts;
  return [
    {
      act: 'password',
      decision: 'user password',
      title: 'New password',
      hint: 'This signs them out everywhere.',
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
      asks: async ({ id, request }) =>
        `${await namedUser(parts, request, id)} signs in with the password alone from now on, until they set up another second factor.`,
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
      asks: async ({ id, request }) =>
        `${await namedUser(parts, request, id)} cannot sign in any more, and all access that apps have in their name ends. This cannot be undone.`,
      run: async ({ id }) => {
        await administration.removeUser(id);
      },
      done: 'The user is removed.',
    },
  ];
}
