import type { RecordedEntry } from '../../access/log/access-entry.js';
import { guardedRow } from '../../access/log/read-entries.js';
import type { Ontology } from '../../model/ontology/model.js';
import { accessesPage, type ShownAccess } from './accesses-page.js';
import { storedManifest } from '../../records/app-graph.js';
import { userName } from '../../records/people.js';
import type { Answer } from '../../http/answer.js';
import { readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import { type OpenedRecord, frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

/** Accesses shown at first, and the limit of a page or download. */
const SHOWN_AT_FIRST = 200;
const MOST = 5000;

/** `/account/accesses/{record_id}`: lists who used a record, as a page or as CSV. */
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
  const asked = isTable ? MOST : /^\d{1,5}$/.test(typed) ? Number(typed) : SHOWN_AT_FIRST;
  const limit = Math.max(1, Math.min(asked, MOST));
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

/** Drops entries before a removal: they concern another person with the same id. The command line shows them. */
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

async function inWords(entries: readonly RecordedEntry[], { store, ontology }: RecordParts) {
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

const VERBS: Readonly<Record<string, { readonly done: string; readonly asked: string }>> = {
  read: { done: 'Saw', asked: 'Asked for' },
  write: { done: 'Added or changed', asked: 'Tried to add or change' },
  remove: { done: 'Removed', asked: 'Tried to remove' },
};

const PAGES: readonly (readonly [start: string, text: string])[] = [
  ['/account/records/', 'Overview of the record'],
  ['/account/trends/', 'Trends'],
  ['/account/accesses/', 'Who looked at the record'],
  ['/account/exports/', 'All of the record, as a download'],
  ['/account/notes/', 'The form for notes'],
];

const REMOVAL = 'record remove';

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
  const { action, call, resource, record = '' } = entry;
  const verbs = VERBS[action];
  const words = verbs ?? TRIED[action];
  if (words === undefined) return DECISIONS[action] ?? action.replaceAll(/[.-]/g, ' ');
  const verb = wasRefused(entry) ? words.asked : words.done;
  if (verbs === undefined) return verb;
  const known = ontology.calls.find(({ iri }) => iri === call);
  if (known) {
    const model = ontology.classes.get(known.target);
    const isList = known.cardinality === 'multiple';
    // People know kinds by their headings, not by technical labels.
    const isOneOf = !isList && model?.heading !== undefined && known.pathParameters.length > 1;
    const name = model?.heading ?? (isList ? model?.plural : model?.label) ?? known.label;
    return `${verb}: ${name}${isOneOf ? ' (one)' : ''}`;
  }
  if (resource?.split('/').includes(record) === false) return `${verb}: Whose record it is`;
  const page = PAGES.find(([start]) => resource?.startsWith(start));
  return `${verb}: ${page?.[1] ?? 'Something of the record'}`;
}
