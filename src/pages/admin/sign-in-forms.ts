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
      hint: 'This signs them out everywhere. They must choose another one when they sign in with it.',
      isFor: () => flow.settings.passwords,
      button: 'Set the password',
      fields: () => [
        passwordField('password', 'New password', 'new-password', ''),
        passwordField('again', 'New password again', 'new-password', ''),
      ],
      about: ofUser,
      run: async ({ id, fields, admin }) => {
        const password = fields.get('password') ?? '';
        if (password !== fields.get('again'))
          throw new AccountError('The new passwords differ. Type both again.');
        // Who sets their own knows it alone.
        await flow.accounts.setPassword(id, password, { isTemporary: id !== admin.id });
      },
      done: 'Password set.',
    },
    {
      act: 'second-factor',
      decision: 'user second-factor',
      title: 'Second factor',
      hint: 'Remove it for somebody who has lost it; after that, a password alone signs them in.',
      button: 'Remove the second factor',
      isDanger: true,
      isFor: (id) => flow.grants.secondFactors.has(id),
      about: ofUser,
      asks: async ({ id, request }) =>
        `${await namedUser(parts, request, id)} will sign in with a password alone until they set up another second factor.`,
      run: async ({ id }) => {
        await flow.grants.secondFactors.remove(id);
      },
      done: 'Second factor removed.',
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
        `${await namedUser(parts, request, id)} will no longer be able to sign in, and apps lose all access they have in this user’s name. This cannot be undone.`,
      run: async ({ id }) => {
        await administration.removeUser(id);
      },
      done: 'User removed.',
    },
  ];
}
