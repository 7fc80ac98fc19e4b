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
  readonly role: string;
  /** The first that the claim holds counts. */
  readonly roles: readonly { readonly value: string; readonly role: UserRole }[];
  readonly newUsers: boolean;
  /** Values of `acr` and `amr` that tell of a second factor. */
  readonly secondFactor: { readonly acr: readonly string[]; readonly amr: readonly string[] };
}

const members = ['name', 'scope', 'user', 'role', 'roles', 'newUsers', 'secondFactor'];

/** Reads the content of a mapping file. @throws AccountError in one sentence for what cannot be a mapping */
export function readMapping(given: unknown): ClaimMapping {
  if (!isObject(given)) throw new AccountError('A mapping is one JSON object.');
  requireKnown(given, members, 'A mapping');
  const { name = 'your organisation', scope = 'openid profile', newUsers = false } = given;
  if (!isText(name)) throw new AccountError('"name" of the mapping is a text.');
  if (!isText(scope) || !scope.split(' ').includes('openid'))
    throw new AccountError('"scope" of the mapping is a text with the word openid in it.');
  if (typeof newUsers !== 'boolean') throw new AccountError('"newUsers" of the mapping is true or false.');
  return {
    ...{ name, scope, newUsers },
    user: claimName(given, 'user'),
    role: claimName(given, 'role'),
    roles: readRoles(given['roles']),
    secondFactor: readSecondFactor(given['secondFactor']),
  };
}

function readRoles(given: unknown): ClaimMapping['roles'] {
  const isRole = (each: unknown): each is ClaimMapping['roles'][number] =>
    isObject(each) &&
    Object.keys(each).length === 2 &&
    isText(each['value']) &&
    (userRoles as readonly unknown[]).includes(each['role']);
  if (Array.isArray(given) && given.length > 0 && given.every(isRole)) return given;
  throw new AccountError(
    `"roles" of the mapping lists objects of a "value" and its "role", which is one of ${userRoles.join(', ')}.`,
  );
}

function readSecondFactor(given: unknown = {}): ClaimMapping['secondFactor'] {
  const { acr = [], amr = [] } = isObject(given) ? given : { acr: undefined };
  if (isObject(given)) requireKnown(given, ['acr', 'amr'], '"secondFactor" of the mapping');
  if (isTexts(acr) && isTexts(amr) && isObject(given)) return { acr, amr };
  throw new AccountError('"secondFactor" of the mapping has lists of texts, "acr" and "amr".');
}

function claimName(given: JsonObject, member: 'user' | 'role'): string {
  const name = given[member];
  if (isText(name)) return name;
  throw new AccountError(`"${member}" of the mapping is the name of a claim.`);
}

function requireKnown(given: JsonObject, known: readonly string[], what: string): void {
  const other = Object.keys(given).find((key) => !known.includes(key));
  if (other !== undefined)
    throw new AccountError(`${what} has no member ${JSON.stringify(other)}; known are ${known.join(', ')}.`);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

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

/** Tells whether the provider asked for a second factor (OpenID Connect Core §2, RFC 8176). */
export function hasSecondFactor({ secondFactor: { acr, amr } }: ClaimMapping, claims: Claims): boolean {
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
