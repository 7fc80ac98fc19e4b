import {
  CLOSED,
  IN_EMERGENCY,
  PARTLY_CLOSED,
  type RecordedEntry,
  wasRefused,
} from '../../access/log/access-entry.js';
import { capital } from '../../http/html/readable.js';
import type { Ontology } from '../../model/ontology/model.js';

const VERBS: Readonly<Record<string, { readonly done: string; readonly asked: string }>> = {
  read: { done: 'Saw', asked: 'Asked for' },
  write: { done: 'Added or changed', asked: 'Tried to add or change' },
  remove: { done: 'Removed', asked: 'Tried to remove' },
};

/** Says what of a request was closed to who made it, or that an emergency opened it. */
export function mannerOf(entry: RecordedEntry): string {
  const { action, reason } = entry;
  if (reason === CLOSED) return action === 'read' ? ' (closed: nothing was shown)' : ' (closed)';
  if (reason === PARTLY_CLOSED) return wasRefused(entry) ? '' : ' (without what is closed)';
  return reason === IN_EMERGENCY ? ' (in an emergency)' : '';
}

const PAGES: readonly (readonly [start: string, text: string])[] = [
  ['/account/records/', 'Overview of the record'],
  ['/account/trends/', 'Trends'],
  ['/account/accesses/', 'Who looked at the record'],
  ['/account/closed/', 'What is closed in the record'],
  ['/account/exports/', 'All of the record, as a download'],
  ['/account/notes/', 'The form for notes'],
];

const TRIED: typeof VERBS = {
  notify: {
    done: 'Told the app that the record had changed',
    asked: 'Tried to tell the app that the record had changed',
  },
  export: {
    done: 'Wrote out the record with the command line',
    asked: 'Tried to write out the record with the command line',
  },
  load: { done: 'Loaded data into the record', asked: 'Tried to load data into the record' },
};

const DECISIONS: Readonly<Record<string, string>> = {
  'access.allowed': 'Let the app into the record',
  'access.allowed-before': 'Opened the app, which already had access',
  'access.denied': 'Did not let the app into the record',
  'access.revoked': 'Ended the access of the app',
  'access-token.issued': 'The app got its access',
  audit: 'Read who looked at the record',
  'emergency.opened': 'Opened the record in an emergency, for eight hours',
  'emergency.ended': 'Ended emergency access to the record',
  'app.launched': 'Opened the app with this record',
  'request-token.issued': 'The app asked for access',
  'subscription.ended': 'Stopped telling the app about changes',
  'record close': 'Closed a part of the record',
  'record open': 'Opened a part of the record again',
  'user grant': 'Gave access to the record',
  'user ungrant': 'Ended access to the record',
  'token issue': 'Issued a token for the record',
  'token revoke': 'Ended a token for the record',
};

/** Says in words what an entry of a record says was done. */
export function what(entry: RecordedEntry, ontology: Ontology): string {
  const { action, call, resource, record = '' } = entry;
  const verbs = VERBS[action];
  const words = verbs ?? TRIED[action];
  if (words === undefined) {
    const command = entry.account === undefined ? undefined : `Ran “chartgraph ${action}”`;
    return DECISIONS[action] ?? command ?? capital(action.replaceAll(/[.-]/g, ' '));
  }
  if (action === 'export' && entry.app !== undefined)
    return wasRefused(entry) ? 'Tried to export the record' : 'Exported the record';
  const verb = wasRefused(entry) || entry.reason === CLOSED ? words.asked : words.done;
  if (verbs === undefined) return verb;
  const known = ontology.calls.find(({ iri }) => iri === call);
  if (known) {
    const model = ontology.classes.get(known.target);
    const isList = known.cardinality === 'multiple';
    // People know kinds by their headings, not by technical labels.
    const isOneOf = !isList && model?.heading !== undefined && known.pathParameters.length > 1;
    const name = model?.heading ?? (isList ? model?.plural : model?.label) ?? known.label;
    return `${verb}: ${name}${isOneOf ? ', one entry' : ''}`;
  }
  if (resource?.split('/').includes(record) === false) return `${verb} whose record it is`;
  if (action === 'write' && resource?.startsWith('/account/closed/'))
    return `${wasRefused(entry) ? 'Tried' : 'Began'} to close or open a part of the record`;
  const page = PAGES.find(([start]) => resource?.startsWith(start));
  return `${verb}: ${page?.[1] ?? 'Something of the record'}`;
}
