import { isObject, type JsonObject } from '../../rdf/json-object.js';
import { AccountError, isUserId } from '../accounts/account-ids.js';
import { userRoles, type UserRole } from '../accounts/users.js';

/** What an operator wrote about the claims of an identity provider. */
export interface ClaimMapping {
  /** What people call whoever runs the provider. */
  readonly name: string;
  readonly scope: string;
  /** The claim that names new users. */
  readonly user: string;
  readonly newUsers: boolean;
  readonly role: string;
  /** The first that the claim holds counts. */
  readonly roles: readonly { readonly value: string; readonly role: UserRole }[];
  /** Values of these claims that tell of a second factor (OpenID Connect Core §2, RFC 8176). */
  readonly acr: readonly string[];
  readonly amr: readonly string[];
}

const defaults = { name: 'your organisation', scope: 'openid profile', newUsers: false, acr: [], amr: [] };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRole = (value: unknown): boolean =>
  isObject(value) && isText(value['value']) && userRoles.some((role) => role === value['role']);

type Rule = readonly [fits: (value: unknown) => boolean, hint: string];

const rules: Readonly<Record<keyof ClaimMapping, Rule>> = {
  name: [isText, 'a text'],
  scope: [
    (value) => isText(value) && value.split(' ').includes('openid'),
    'a text with the word openid in it',
  ],
  user: [isText, 'the name of a claim'],
  newUsers: [(value) => typeof value === 'boolean', 'true or false'],
  role: [isText, 'the name of a claim'],
  roles: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isRole),
    `a list of objects, each with a "value" and its "role": ${userRoles.join(', ')}`,
  ],
  acr: [isTexts, 'a list of texts'],
  amr: [isTexts, 'a list of texts'],
};

/** Reads the content of a mapping file. @throws AccountError in one sentence for what cannot be a mapping */
export function readMapping(given: unknown): ClaimMapping {
  if (!isObject(given)) throw new AccountError('A mapping is one JSON object.');
  const mapping: JsonObject = { ...defaults, ...given };
  const other = Object.keys(given).find((member) => !Object.hasOwn(rules, member));
  if (other !== undefined) {
    const known = Object.keys(rules).join(', ');
    throw new AccountError(`A mapping has no member ${JSON.stringify(other)}; known are ${known}.`);
  }
  for (const [member, [fits, hint]] of Object.entries(rules))
    if (!fits(mapping[member])) throw new AccountError(`"${member}" of a mapping must be ${hint}.`);
  return mapping as unknown as ClaimMapping;
}

/** What an identity provider says of a person; its ID token was checked. */
export type Claims = JsonObject & { readonly sub: string };

/** Returns the role that somebody has here; undefined if they have none. */
export function roleIn({ role, roles }: ClaimMapping, claims: Claims): UserRole | undefined {
  const held = textsIn(claims[role]);
  return roles.find(({ value }) => held.includes(value))?.role;
}

/** Returns the id of a new user; undefined if the claim holds none. An e-mail address counts once it is verified. */
export function userIdIn({ user }: ClaimMapping, claims: Claims): string | undefined {
  const id = claims[user];
  if (user === 'email' && claims['email_verified'] !== true) return undefined;
  return typeof id === 'string' && isUserId(id) ? id : undefined;
}

/** Tells whether the provider asked for a second factor. */
export function hasSecondFactor({ acr, amr }: ClaimMapping, claims: Claims): boolean {
  return (
    textsIn(claims['acr']).some((each) => acr.includes(each)) ||
    textsIn(claims['amr']).some((each) => amr.includes(each))
  );
}

/** Tells whether claims hold all that the mapping asks for. */
export function isWhole({ user, role }: ClaimMapping, claims: JsonObject): boolean {
  return [user, role, 'given_name', 'family_name'].every((name) => claims[name] !== undefined);
}

function textsIn(claim: unknown): readonly string[] {
  return [claim].flat().filter((each) => typeof each === 'string');
}
