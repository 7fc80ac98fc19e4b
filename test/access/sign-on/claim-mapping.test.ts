import { describe, expect, it } from 'vitest';
import { readMapping, roleIn } from '../../../src/access/sign-on/claim-mapping.js';

const roles = [
  { value: 'it', role: 'admin' },
  { value: 'physicians', role: 'clinician' },
];
const mapping = { user: 'preferred_username', role: 'groups', roles };

describe('a mapping file', () => {
  it('makes nobody a user, and no sign-in a second factor, unless it says so', () => {
    const { newUsers, acr, amr, scope, name } = readMapping(mapping);
    expect({ newUsers, acr, amr, scope, name }).toEqual({
      newUsers: false,
      acr: [],
      amr: [],
      scope: 'openid profile',
      name: 'your organisation',
    });
  });

  it.each([
    [[], 'A mapping is one JSON object.'],
    [{ role: 'groups', roles }, '"user" of a mapping must be the name of a claim.'],
    [{ ...mapping, roles: [] }, /^"roles" of a mapping must be a list of objects, .*: person, clinician, /],
    [{ ...mapping, roles: [{ value: 'it', role: 'root' }] }, /^"roles" of a mapping must be/],
    [{ ...mapping, scope: 'profile' }, /^"scope" of a mapping must be a text with the word openid/],
    [{ ...mapping, newUsers: 'yes' }, '"newUsers" of a mapping must be true or false.'],
    [{ ...mapping, amr: 'mfa' }, '"amr" of a mapping must be a list of texts.'],
    [{ ...mapping, admins: [] }, /^A mapping has no member "admins"; known are name, scope, /],
  ])('that is %j is refused in one sentence', (given, sentence) => {
    expect(() => readMapping(given)).toThrow(sentence);
  });

  it('gives the first of its roles that a claim holds, be it a text or a list', () => {
    const read = readMapping(mapping);
    const of = (groups: unknown) => roleIn(read, { sub: '1', groups });
    expect(['physicians', ['physicians', 'it'], ['its'], [['it']], { it: true }, undefined].map(of)).toEqual([
      'clinician',
      'admin',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
