import type { RecordedEntry } from '../../../access-log/access-entry.js';
import { guardedRow } from '../../../access-log/guarded-csv.js';
import type { Ontology } from '../../../ontology/model.js';
import { accessesPage, type ShownAccess } from '../../../pages/record/accesses-page.js';
import { storedManifest } from '../../../records/app-manifests.js';
import { userName } from '../../../records/people.js';
import type { Answer } from '../../answer.js';
import { readFields } from '../form.js';
import { pageAnswer } from '../page-answer.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

/** How many accesses the page shows first, and the most that it and the download hold. */
const FIRST = 200;
const MOST = 5000;

/** `/account/accesses/{record_id}`: who looked at a record, as a page or as CSV. */
export async function accesses(
  parts: RecordParts,
  { visitor, target }: PageRequest,
  opened: OpenedRecord,
): Promise<Answer> {
  const { accessLog, ontology } = parts;
  const { record } = opened.holder;
  const fields = readFields(target.query);
  const isTable = fields.get('format') === 'csv';
  const typed = fields.get('show') ?? '';
  const asked = isTable ? MOST : /^\d{1,5}$/.test(typed) ? Number(typed) : FIRST;
  const limit = Math.max(1, Math.min(asked, MOST));
  // One more than is shown tells whether there are more.
  const entries = ofPresent(await accessLog.recordsOf(record, { limit: limit + 1 }));
  const shown = await inWords(entries.slice(0, limit), parts);
  if (isTable) {
    return {
      kind: 'plain',
      mediaType: 'text/csv; charset=utf-8; header=present',
      headers: { 'Content-Disposition': `attachment; filename="accesses-${record}.csv"` },
      body: [['time', 'who', 'what', 'why', 'outcome'], ...shown.map(cells)].map(guardedRow).join(''),
    };
  }
  const more = entries.length > limit && limit < MOST ? Math.min(limit * 5, MOST) : undefined;
  return pageAnswer(
    visitor.page,
    accessesPage(visitor.page, { frame: frameOf(opened, ontology), accesses: shown, more }),
  );
}

/** Whose record had the id before it was removed is nothing for whom it was given to since; the command line tells all. */
function ofPresent(entries: readonly RecordedEntry[]): readonly RecordedEntry[] {
  const removal = entries.findIndex(({ action, outcome }) => action === REMOVAL && outcome === 'done');
  return removal < 0 ? entries : entries.slice(0, removal);
}

const cells = ({ time, who, what, why, wasRefused }: ShownAccess): string[] => [
  time,
  who,
  what,
  why,
  wasRefused ? 'refused' : 'done',
];

/** Entries in words; each person and app is looked up once. */
async function inWords(
  entries: readonly RecordedEntry[],
  { store, ontology }: RecordParts,
): Promise<ShownAccess[]> {
  const people = new Map<string, Promise<string>>();
  const once = (key: string, read: () => Promise<string>): Promise<string> => {
    const known = people.get(key) ?? read();
    people.set(key, known);
    return known;
  };
  const person = (id: string): Promise<string> => once(`user ${id}`, () => userName(store, id));
  const app = (id: string): Promise<string> =>
    once(`app ${id}`, async () => (await storedManifest(store, id))?.name ?? id);
  return Promise.all(
    entries.map(async (entry): Promise<ShownAccess> => {
      const who = [
        entry.account === undefined ? undefined : `Operator ${entry.account}`,
        entry.user === undefined ? undefined : await person(entry.user),
      ].filter((part) => part !== undefined);
      if (entry.app !== undefined)
        who.push(`${who.length === 0 ? 'The' : 'with the'} app ${await app(entry.app)}`);
      return {
        time: entry.time,
        who: who.length === 0 ? 'Somebody who did not say who they are' : who.join(' '),
        what: what(entry, ontology),
        why: entry.purpose ?? '',
        wasRefused: wasRefused(entry),
      };
    }),
  );
}

/** What was done, by the name of the action, and what was asked for where nothing came of it. */
const VERBS: Readonly<Record<string, { readonly done: string; readonly asked: string }>> = {
  read: { done: 'Saw', asked: 'Asked for' },
  write: { done: 'Added or changed', asked: 'Tried to add or change' },
  remove: { done: 'Removed', asked: 'Tried to remove' },
};

/** The pages that show more than one kind, by the beginning of their path. */
const PAGES: readonly (readonly [start: string, text: string])[] = [
  ['/account/records/', 'Overview of the record'],
  ['/account/trends/', 'Trends'],
  ['/account/accesses/', 'Who looked at the record'],
  ['/account/exports/', 'All of the record, as a download'],
  ['/account/notes/', 'The form for notes'],
];

/** The command that removes a record. */
const REMOVAL = 'record remove';

/** Decisions and commands that may come to nothing, in the same words. */
const TRIED: typeof VERBS = {
  notify: {
    done: 'Told the app that the record has changed',
    asked: 'Tried to tell the app that the record has changed',
  },
  export: {
    done: 'Wrote out the record with the command line',
    asked: 'Tried to write out the record with the command line',
  },
  load: { done: 'Loaded data into the record', asked: 'Tried to load data into the record' },
};

/** Other decisions and commands. */
const DECISIONS: Readonly<Record<string, string>> = {
  'access.allowed': 'Let the app into the record',
  'access.allowed-before': 'Went on to the app, which was let in before',
  'access.denied': 'Did not let the app into the record',
  'access.revoked': 'Ended the access of the app',
  'access-token.issued': 'The app got its access',
  'app.launched': 'Opened the app with this record',
  'request-token.issued': 'The app asked for access',
  'subscription.ended': 'Tells the app of changes no longer',
  'token issue': 'Issued a token for the record, for the app',
  'token revoke': 'Ended a token of the app',
};

const wasRefused = ({ outcome }: RecordedEntry): boolean => outcome === 'refused' || outcome === 'failed';

function what(entry: RecordedEntry, ontology: Ontology): string {
  const { action, call, resource } = entry;
  const verbs = VERBS[action];
  const words = verbs ?? TRIED[action];
  if (words === undefined) return DECISIONS[action] ?? action.replaceAll(/[.-]/g, ' ');
  const verb = wasRefused(entry) ? words.asked : words.done;
  if (verbs === undefined) return verb;
  const known = ontology.calls.find(({ iri }) => iri === call);
  if (known) {
    const model = ontology.classes.get(known.target);
    const isList = known.cardinality === 'multiple';
    // A word of the trade is nothing for people: one of those that they know by a heading is told by it.
    const isOneOf = !isList && model?.heading !== undefined && known.pathParameters.length > 1;
    const name = model?.heading ?? (isList ? model?.plural : model?.label) ?? known.label;
    return `${verb}: ${name}${isOneOf ? ' (one)' : ''}`;
  }
  const page = PAGES.find(([start]) => resource?.startsWith(start));
  return `${verb}: ${page?.[1] ?? 'Something of the record'}`;
}
