import { isDeepStrictEqual } from 'node:util';
import { AccountError, isUserId } from '../access/accounts/account-ids.js';
import type { Accounts } from '../access/accounts/accounts.js';
import { putAllowance } from '../access/accounts/allowances.js';
import type { AppRegistration } from '../access/accounts/apps.js';
import type { AppManifest } from '../access/accounts/manifest.js';
import {
  bindTokens,
  type IssuedBearer,
  type IssuedToken,
  type TokenRequest,
} from '../access/accounts/tokens.js';
import { forgetNames } from '../access/accounts/removed-users.js';
import type { Identity, UserRole } from '../access/accounts/users.js';
import { allowedBy } from '../access/oauth/listed-calls.js';
import type { DataDirectory, WriteTx } from '../store/disk/data-directory.js';
import { forgetRevisions } from '../store/change-log.js';
import { purgeHistory } from '../store/sweep-history.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { appGraph, appManifestIri, manifestIn } from './app-graph.js';
import { nameIn } from './people.js';
import { userPart } from './record-partition.js';
import { isKeptByApp, recordIri } from './resource-paths.js';
import { changedUser, userGraph, userIri } from './user-graph.js';
import { impossibleInXml } from '../rdf/xml-text.js';

/** Where users and apps are kept: their public half in graphs, their private half in accounts. */
export interface Registry {
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  readonly base: string;
  readonly accounts: Accounts;
}

/** The most characters of a given or family name. */
const MAX_NAME = 200;

interface NamedUser {
  readonly givenName: string;
  readonly familyName: string;
  readonly role: UserRole;
  readonly records: readonly string[];
  /** How records name a clinician; '' is not at all. */
  readonly practitioner?: string | undefined;
}

export interface NewUser extends NamedUser {
  readonly id: string;
  readonly passwordHash?: string;
  readonly identity?: Identity;
}

/** `records` replaces a user's records, `more` adds some, `less` takes some away, also those open in an emergency. */
export type UserChange = Partial<NamedUser> & {
  readonly more?: readonly string[];
  readonly less?: readonly string[];
};

/** Adds a user. @throws AccountError when there is one already, or as putUser does */
export async function addUser({ primary, base, accounts }: Registry, user: NewUser): Promise<void> {
  const { givenName, familyName, ...account } = user;
  checkPractitioner(user.role, user.practitioner);
  if (!isUserId(user.id)) throw new AccountError(`${JSON.stringify(user.id)} cannot be the id of a user.`);
  checkNames(user);
  await primary.write({ replace: [userGraph({ ...account, givenName, familyName }, base)] }, (tx) => {
    if (accounts.user(user.id, tx)) throw new AccountError(`The user name “${user.id}” is taken.`);
    accounts.putUser(tx, account);
  });
}

/** Changes what is named of a user. @returns the old and the new role @throws AccountError without such a user */
export async function changeUser(
  { primary, base, accounts }: Registry,
  id: string,
  { records, more = [], less = [], practitioner, ...texts }: UserChange,
): Promise<{ readonly before: UserRole; readonly role: UserRole }> {
  if (!isUserId(id)) throw new AccountError(`There is no user ${JSON.stringify(id)}.`);
  checkNames(texts);
  const expect = [{ path: userPart(id), revision: primary.revision(userPart(id)) }];
  const name = userIri(base, id);
  const quads = changedUser(primary.graph(name) ?? [], texts);
  let roles: { before: UserRole; role: UserRole } | undefined;
  await primary.write({ replace: [{ name, quads }], expect }, (tx) => {
    const had = accounts.user(id, tx);
    if (!had) throw new AccountError(`There is no user ${id}.`);
    const { role = had.role } = texts;
    checkPractitioner(role, practitioner);
    const ended = accounts.endEmergencies(tx, id, less);
    const foreign = ended === 0 && less.find((record) => !had.records.includes(record));
    if (foreign) throw new AccountError(`Record ${foreign} is not given to ${id}.`);
    const kept = [...(records ?? had.records), ...more].filter((record) => !less.includes(record));
    accounts.putUser(tx, { id, role, records: kept, practitioner });
    roles = { before: had.role, role };
  });
  if (!roles) throw new Error('a change of a user was not made');
  return roles;
}

function checkPractitioner(role: UserRole, practitioner = ''): void {
  if (practitioner !== '' && role !== 'clinician')
    throw new AccountError('Only a clinician has the identifier of a practitioner.');
}

/** @throws AccountError for a name that calls could not answer with */
function checkNames({ givenName = '', familyName = '' }: Partial<NamedUser>): void {
  for (const name of [givenName, familyName])
    if (name.length > MAX_NAME || impossibleInXml(name) !== undefined)
      throw new AccountError(`A name has at most ${MAX_NAME} characters, and no control characters.`);
}

/**
 * Removes a user with their tokens.
 * @param purges also removes their name, which is else kept for the access log, and in the history
 * @throws AccountError without such a user
 */
export async function removeUser(
  { primary, base, accounts }: Registry,
  id: string,
  purges = false,
): Promise<void> {
  const iri = userIri(base, id);
  const part = userPart(id);
  const name = nameIn(primary.graph(iri) ?? [], iri);
  const isUnkept = purges || isKeptByApp;
  await primary.write({ remove: [iri], removeUnder: [`${iri}/`], isUnkept }, (tx) => {
    const existed = accounts.removeUser(tx, id, name);
    const forgot = purges ? forgetNames(tx, id) + purgeHistory(tx, part) : 0;
    if (purges) forgetRevisions(tx, part);
    if (!existed && forgot === 0) throw new AccountError(`There is no user ${id}.`);
  });
}

/** Returns the records that do not exist yet. */
export function missingRecords({ primary }: Pick<Registry, 'primary'>, records: readonly string[]): string[] {
  return records.filter((record) => !primary.has(recordIri(primary.base, record)));
}

/** Installs or changes an app. @returns its consumer secret @throws AccountError as putApp does */
export async function installApp(
  { primary, base, accounts }: Registry,
  manifest: AppManifest,
  keys: Pick<AppRegistration, 'secret' | 'publicKey'>,
): Promise<string> {
  const { id, mode } = manifest;
  let secret = '';
  const before = manifestIn(primary.graph(appManifestIri(base, id)) ?? []);
  const allowed = allowedBy(before);
  const isOther = before !== undefined && !isDeepStrictEqual(allowed, allowedBy(manifest));
  await primary.write({ replace: [appGraph(manifest, base)] }, (tx) => {
    // Tokens issued before allowances were recorded keep what their users allowed.
    if (isOther) bindTokens(tx, id, allowed);
    secret = accounts.putApp(tx, { id, mode, ...keys }).secret;
  });
  return secret;
}

/** Removes an app with its tokens. @throws AccountError without such an app */
export async function removeApp({ primary, base, accounts }: Registry, id: string): Promise<void> {
  await primary.write({ remove: [appManifestIri(base, id)] }, (tx) => {
    if (!accounts.removeApp(tx, id)) throw new AccountError(`There is no app ${id}.`);
  });
}

export interface AppTokenRequest {
  readonly app: string;
  readonly user: string;
  readonly record?: string | undefined;
  /** In milliseconds. */
  readonly lifetime: number;
  /** An administrator; by default an operator. */
  readonly by?: string;
}

/** Issues a token that lets an app do what its manifest says. @throws AccountError as putToken, or without the record */
export function issueAppToken(registry: Registry, request: AppTokenRequest): Promise<IssuedToken> {
  return issueBound(registry, request, (tx, bound) => registry.accounts.putToken(tx, bound));
}

/** Issues a bearer token for FHIR with the same rights. @throws AccountError as putBearer, or without the record */
export function issueBearer(
  registry: Registry,
  { scope, ...request }: AppTokenRequest & { readonly scope: string },
): Promise<IssuedBearer> {
  return issueBound(registry, request, (tx, bound) => registry.accounts.putBearer(tx, { ...bound, scope }));
}

function issueBound<T>(
  { directory, primary, base }: Registry,
  { app, user, record, lifetime, by = '' }: AppTokenRequest,
  issue: (tx: WriteTx, bound: TokenRequest & { readonly user: string }) => T,
): Promise<T> {
  return directory.transact((tx) => {
    const allowed = allowedBy(manifestIn(primary.graph(appManifestIri(base, app)) ?? []));
    const put = issue(tx, {
      ...{ app, user, lifetime, issuedBy: by },
      ...(record === undefined ? {} : { record }),
      allowed: putAllowance(tx, app, allowed),
    });
    if (record !== undefined && missingRecords({ primary }, [record]).length > 0)
      throw new AccountError(`There is no record ${record}.`);
    return put;
  });
}
