import { administratorOf, wasRefused, type AccessEntry } from '../../access/log/access-entry.js';
import type { Decision } from '../../access/oauth/audit.js';
import { saidOfGiven } from './what-was-given.js';

/**
 * How a sentence goes on after who did it: as "tried to", as done, and what follows. Names stand in braces, and what is
 * left out without its name in brackets. Who is named in braces is not said to have done it.
 */
export type Said = readonly [tried: string, done: string, rest?: string];

const MESSAGES = 'the messages [to {app} ]about changes[ of {record}][ in the name of {user}]';

const DECISIONS: Readonly<Record<Decision, Said>> = {
  'request-token.issued': ['ask', 'asked', 'for access[ to {record}]'],
  'request-token.refused': ['ask', 'asked', 'for access[ to {record}]'],
  'request-token.opened': ['open', 'opened', 'the question whether to give {app} access'],
  'request-token.not-opened': ['open', 'opened', 'the question whether to give an app access'],
  'access.allowed': ['give', 'gave', '{app} access[ to {record}]'],
  'access.allowed-before': ['open', 'opened', '{app}, which already had access[ to {record}]'],
  'access.denied': ['', 'did not give', '{app} access[ to {record}]'],
  'access.refused': ['use', 'used', '{app}[ with {record}]'],
  'access-token.issued': ['get', 'got', 'a token[ in the name of {user}][ for {record}]'],
  'access-token.refused': ['get', 'got', 'a token[ in the name of {user}][ for {record}]'],
  'background-token.issued': ['get', 'got', 'a token[ for {record}]'],
  'background-token.refused': ['get', 'got', 'a token[ for {record}]'],
  'access.revoked': ['end', 'ended', 'the access of {app}[ to {record}][ in the name of {other}]'],
  'app.launched': ['open', 'opened', '{app}[ with {record}]'],
  'sign-in.accepted': ['sign in', 'signed in'],
  'sign-in.refused': ['sign in', 'signed in'],
  'sign-in.throttled': ['sign in', 'signed in'],
  'password.changed': ['change', 'changed', 'their password'],
  'password.refused': ['', 'gave a wrong password where they had to prove who they are'],
  'second-factor.set-up': ['set up', 'set up', 'their second factor'],
  'second-factor.removed': ['remove', 'removed', 'their second factor'],
  'second-factor.refused': ['', 'gave a wrong code where they had to prove who they are'],
  'query-token.issued': ['make', 'made', 'a token for questions over all records'],
  'query-token.ended': ['end', 'ended', 'a token for questions over all records'],
  'saved-query.shared': ['share', 'shared', 'a question with other analysts'],
  'session.ended': ['end', 'ended', 'a session of their own'],
  'sign-out': ['sign out', 'signed out'],
  'emergency.opened': ['open', 'opened', '{record} in an emergency, for eight hours'],
  'emergency.refused': ['open', 'opened', 'a record in an emergency'],
  'emergency.ended': ['end', 'ended', 'the emergency access of {user} to {record}'],
  'administration.refused': ['open', 'opened', 'Administration'],
  'user add': ['add', 'added', 'the user {user}'],
  'user change': ['change', 'changed', 'the user {user}'],
  'user password': ['set', 'set', 'the password of {user}'],
  'user second-factor': ['remove', 'removed', 'the second factor of {user}'],
  'user grant': ['give', 'gave', '{user} access to {record}'],
  'user ungrant': ['end', 'ended', 'the access of {user} to {record}'],
  'user remove': ['remove', 'removed', 'the user {user}'],
  'record close': ['close', 'closed', 'a part of {record}'],
  'record open': ['open', 'opened', 'a part of {record} again'],
  'app add': ['install or change', 'installed or changed', 'the app {app}'],
  'app remove': ['remove', 'removed', 'the app {app}'],
  'token issue': ['issue', 'issued', 'a token[ to {app}][ in the name of {user}][ for {record}]'],
  'token revoke': ['revoke', 'revoked', 'a token[ of {app}][ in the name of {user}][ for {record}]'],
  'subscription replay': ['deliver', 'delivered', 'changes again[ to {app}][ of {record}]'],
  'subscription remove': ['end', 'ended', MESSAGES],
  'export end': ['end', 'ended', 'an export[ of {app}]'],
  'query end': ['stop', 'stopped', 'a question[ of {user}]'],
  audit: ['read or check', 'read or checked', 'the access log[ of {record}]'],
};

/** Names what a request read or wrote, in place of `text`. */
const OTHERS: Readonly<Record<string, Said>> = {
  read: ['open', 'opened', '{record}[: {text}]'],
  write: ['add or change', 'added or changed', '{text}[ in {record}]'],
  remove: ['remove', 'removed', '{text}[ in {record}]'],
  query: ['ask', 'asked', 'a question over all records'],
  notify: ['tell', 'told', '{app} that {record} had changed[, in the name of {user}]'],
  'subscription.ended': ['end', 'ended', MESSAGES],
  load: ['load', 'loaded', 'data[ into {record}]'],
  'record remove': ['remove', 'removed', '{record}'],
  'user link': ['link', 'linked', '{user} to the sign-in of the organisation'],
  backup: ['make', 'made', 'a backup'],
  restore: ['put back', 'put back', 'a backup'],
  serve: ['run', 'ran', 'the server'],
};
const SAW_NAME: Said = ['see', 'saw', 'the name of {person}'];
const SAW_PATIENT: Said = ['see', 'saw', 'the name of the patient {patient}'];
const SAW: Said = ['see', 'saw', '{text}'];
/** Pages about a record that open nothing of it, by how their paths begin. */
const ABOUT_RECORD: readonly (readonly [start: string, said: Said])[] = [
  ['/account/accesses/', ['see', 'saw', 'who looked at {record}']],
  ['/account/closed/', ['see', 'saw', 'what is closed in {record}']],
];
/** What is closed or opened then has an entry of its own. */
const USED_CLOSED: Said = ['close or open', 'began to close or open', 'a part of {record}'];
/** Several records may fit what was typed, too. */
const NOT_FOUND: Said = ['', 'asked', 'for emergency access, but no record was found'];
const FOR_EMERGENCY: Said = ['search', 'searched', 'for a patient to open in an emergency'];
const THEIR_PATIENTS: Said = ['list or search', 'listed or searched', 'their patients'];
const SEARCHED: Readonly<Record<string, Said>> = {
  search_records: ['search', 'searched', 'for patients'],
  search_users: ['search', 'searched', 'for users'],
};
const EXPORTED: Said = ['export', 'exported', '{record}'];
const EXPORTED_ALL: Said = ['export', 'exported', 'all records'];

/** Whether a page only said whose record it is. */
export const isNaming = ({ call, resource, record }: AccessEntry): boolean =>
  call === undefined && record !== undefined && resource?.split('/').includes(record) === false;

/** Pages list patients without being asked for one; apps search. */
function searched({ call = '', app, resource }: AccessEntry): Said | undefined {
  const name = call.split('#')[1] ?? '';
  if (name !== 'search_records' || app !== undefined) return SEARCHED[name];
  if (resource?.startsWith('/admin/')) return SEARCHED[name];
  return resource === '/account/emergency' ? FOR_EMERGENCY : THEIR_PATIENTS;
}

const aboutRecord = ({ resource = '' }: AccessEntry): Said | undefined =>
  ABOUT_RECORD.find(([start]) => resource.startsWith(start))?.[1];

/** Whether a page only said what a user is called. */
export const isUserNaming = ({ call, resource = '', record }: AccessEntry): boolean =>
  call === undefined && record === undefined && resource.startsWith('/users/');

/** Whether a page only said what a patient or user is called. */
export const onlyNames = (entry: AccessEntry): boolean =>
  entry.action === 'read' && (isNaming(entry) || isUserNaming(entry));

/** Returns the words for one name that was shown as those for several. */
export const manyNames = (words: string): string =>
  words.replace(/^the name of(?: the (patient))?/u, (_, patient?: string) =>
    patient === undefined ? 'the names of' : `the names of the ${patient}s`,
  );

/** Returns how the sentence of an entry goes on after who did it. */
export function said(entry: AccessEntry): Said {
  const { action, record, account, resource = '', reason } = entry;
  const given = saidOfGiven(entry);
  if (given) return given;
  if (action === 'export') return record === undefined ? EXPORTED_ALL : EXPORTED;
  if (action === 'read') {
    if (isNaming(entry)) return SAW_PATIENT;
    if (isUserNaming(entry)) return SAW_NAME;
    const about = aboutRecord(entry);
    if (about) return about;
    if (record === undefined) return searched(entry) ?? SAW;
    return OTHERS['read'] ?? SAW;
  }
  if (action === 'write' && resource.startsWith('/account/closed/')) return USED_CLOSED;
  if (action === 'emergency.refused' && reason === 'no record') return NOT_FOUND;
  const known: Said | undefined = OTHERS[action] ?? (DECISIONS as Readonly<Record<string, Said>>)[action];
  if (known) return known;
  if (account === undefined) return ['', action.replaceAll(/[.-]/gu, ' ')];
  const about = '[, about {user}][, about {app}][, about {record}]';
  return ['run', 'ran', `“chartgraph ${action}”${about}`];
}

const REASONS: Readonly<Record<string, string>> = {
  code: 'The code was wrong',
  'password changed': 'The password had been changed',
  'password was given': 'Somebody else had set the old one',
  'passwords are off': 'Passwords are off here',
  'too many tries': 'Too many tries',
  'no record': 'There is no such record',
  noRecord: 'There is no such record',
  record: 'The record is not open to them',
  form: 'The form was not sent from its page',
  launch: 'The app was started too long ago',
  'by the app': 'The app asked for it',
  'identity provider': 'At the organisation',
  'first sign-in': 'Their first sign-in at the organisation',
  consumer: 'The app is not known',
  token: 'The token is not valid',
  signature: 'The signature is wrong',
  verifier: 'The verifier is wrong',
  timestamp_refused: 'The clock of the app is wrong',
  nonce_used: 'The request was sent before',
};

/** Says why something was done or refused. @param reason as an entry has it */
export function reasonInWords(reason: string): string {
  const [, role] = /^role (\w+)$/u.exec(reason) ?? [];
  return role === undefined ? (REASONS[reason] ?? reason) : `Their role is ${role}`;
}

type IsOf = (entry: AccessEntry) => boolean;
const ofAction =
  (pattern: RegExp): IsOf =>
  ({ action }) =>
    pattern.test(action);

const isExport = ofAction(/^(?:export|query|saved-query|mirror|analyses|backup|migrate)/u);
const isByOperator = (entry: AccessEntry): boolean =>
  entry.account !== undefined || administratorOf(entry) !== undefined;

/** What somebody asks the log for. */
export const LOG_KINDS = {
  opened: [
    'Opened a record',
    (entry) =>
      !wasRefused(entry) &&
      (entry.action === 'emergency.opened' ||
        (entry.action === 'read' && !!entry.record && !isNaming(entry) && !aboutRecord(entry))),
  ],
  changed: [
    'Changed a record',
    (entry) => !wasRefused(entry) && ofAction(/^(?:write|remove|load|record remove)$/u)(entry),
  ],
  emergency: ['Emergency access', ofAction(/^emergency\./u)],
  'sign-in': ['Signed in or out', ofAction(/^(?:sign-|password\.|second-factor\.|session\.)/u)],
  refused: ['Refused', wasRefused],
  apps: [
    'Access of apps',
    ofAction(/^(?:access|request-token|background-token|app\.|token |notify|subscription)/u),
  ],
  exports: ['Exports, backups and questions', isExport],
  administration: [
    'Administration',
    (entry) => !isExport(entry) && (isByOperator(entry) || /^(?:audit|administration\.)/u.test(entry.action)),
  ],
} as const satisfies Readonly<Record<string, readonly [string, IsOf]>>;

export type LogKind = keyof typeof LOG_KINDS;

export const isLogKind = (text: string): text is LogKind => Object.hasOwn(LOG_KINDS, text);
