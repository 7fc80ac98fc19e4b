import {
  administratorOf,
  isAboutTyped,
  isAttempt,
  type RecordedEntry,
  wasRefused,
} from '../../access/log/access-entry.js';
import { gathered, withoutBeginnings, type GatheredEntry } from '../../access/log/gathered-entries.js';
import { guardedRow } from '../../access/log/read-entries.js';
import type { Pause } from '../../store/steps.js';
import { mannerOf, what } from './access-words.js';
import { accessesPage, isChoice, type Accesses, type Choice, type ShownAccess } from './accesses-page.js';
import type { Answer } from '../../http/answer.js';
import { readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { RecordData } from '../../http/record-data.js';
import { closedTo } from '../closed-to.js';
import { frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

/** Accesses on a page, and in a table to download. */
const SHOWN = 200;
const IN_TABLE = 5000;
/** Attempts that are counted among the accesses of a page. */
const COUNTED = 1000;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `/account/accesses/{record_id}`: lists who used a record before a time, as a page or as CSV. */
export async function accesses(
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<Answer> {
  const { visitor, target, inSteps } = request;
  const { data } = opened;
  const fields = readFields(target.query);
  const isTable = fields.get('format') === 'csv';
  const typed = fields.get('before') ?? '';
  const before = TIME.test(typed) ? typed : undefined;
  const asked = fields.get('show') ?? '';
  const show = isChoice(asked) ? asked : 'all';
  const words = wording(parts, request, opened);
  await data.listAccesses();
  const { entries, earlier, isCut } = await inSteps((pause) =>
    read(
      data,
      {
        before,
        most: isTable ? IN_TABLE : SHOWN,
        keyOf: words.keyOf,
        isWanted: (entry) => choices[show](entry, (each) => isOwn(parts, each, opened.user.id)),
      },
      pause,
    ),
  );
  const shown = await Promise.all(entries.map(words.shown));
  if (!isTable) {
    const page = { frame: frameOf(opened, parts.ontology), accesses: shown, show, before, earlier, isCut };
    return pageAnswer(visitor.page, accessesPage(visitor.page, page));
  }
  const next = `<${target.path ?? ''}?format=csv&show=${show}&before=${earlier}>; rel="next"`;
  return {
    kind: 'plain',
    mediaType: 'text/csv; charset=utf-8; header=present',
    headers: {
      'Content-Disposition': `attachment; filename="accesses-${data.record}.csv"`,
      ...(earlier !== undefined && { Link: next }),
    },
    body: [['time', 'who', 'what', 'why', 'outcome', 'times', 'role'], ...shown.map(cells)]
      .map(guardedRow)
      .join(''),
  };
}

interface AskedAccesses {
  readonly before: string | undefined;
  readonly most: number;
  keyOf(entry: RecordedEntry): string;
  isWanted(entry: RecordedEntry): boolean;
}

/** With an app, it is the app that looks. */
function isOwn({ accounts }: RecordParts, entry: RecordedEntry, reader: string): boolean {
  const { user, app, account, time } = entry;
  const administrator = administratorOf(entry);
  // Somebody may have had the same user name before.
  const isReader = (id: string | undefined): boolean =>
    id === reader && !accounts.removedUser(id, Date.parse(time));
  if (administrator !== undefined) return isReader(administrator);
  return isReader(user) && app === undefined && account === undefined;
}

type IsOwn = (entry: RecordedEntry) => boolean;
const choices: Readonly<Record<Choice, (entry: RecordedEntry, isOwn: IsOwn) => boolean>> = {
  all: () => true,
  others: (entry, isOwn) => !isOwn(entry),
  changes: ({ action }) => action === 'write' || action === 'remove' || action === 'load',
  refused: wasRefused,
};

/**
 * Reads the latest accesses before a time. Attempts of the same period are gathered: nobody can push accesses off the
 * page with them.
 */
async function read(
  data: RecordData,
  { before, most, keyOf, isWanted }: AskedAccesses,
  pause: Pause,
): Promise<{ readonly entries: readonly GatheredEntry[] } & Pick<Accesses, 'earlier' | 'isCut'>> {
  const asked = { newestFirst: true, before: before === undefined ? undefined : Date.parse(before) };
  let since: number | undefined;
  // Entries before a removal concern another person with the same id. The command line shows them.
  for await (const { time } of data.accesses({ kind: 'removal', newestFirst: true, limit: 1 }, pause))
    since = Date.parse(time) + 1;
  const found: RecordedEntry[] = [];
  let earlier: string | undefined;
  for await (const entry of data.accesses({ ...asked, since, kind: 'access' }, pause)) {
    if (!isWanted(entry)) continue;
    const last = found.at(-1)?.time;
    // The next page begins at another time.
    if (found.length >= most && entry.time !== last) {
      earlier = last;
      break;
    }
    found.push(entry);
  }
  const from = earlier === undefined ? since : Date.parse(earlier);
  const attempts = data.accesses({ ...asked, since: from, kind: 'attempt', limit: COUNTED }, pause);
  const rows = await gathered(attempts, keyOf);
  const wanted = rows.filter(({ entry }) => isWanted(entry));
  const all = [...found.map((entry) => ({ entry, times: 1 })), ...wanted];
  return {
    entries: withoutBeginnings(all.sort((a, b) => (a.entry.time < b.entry.time ? 1 : -1))),
    earlier,
    isCut: rows.reduce((sum, { times }) => sum + times, 0) === COUNTED,
  };
}

const cells = ({ time, who, role, what, why, wasRefused, times }: ShownAccess): string[] => [
  time,
  who,
  what,
  why,
  wasRefused ? 'refused' : 'done',
  String(times),
  role,
];

/** Returns how entries are shown, and what of it makes attempts the same. */
function wording(parts: RecordParts, request: PageRequest, { user: reader, holder }: OpenedRecord) {
  const { people: reads, ontology, accounts, manifestOf } = parts;
  const people = new Map<string, Promise<string>>();
  const once = (key: string, read: () => Promise<string>): Promise<string> => {
    const known = people.get(key) ?? read();
    people.set(key, known);
    return known;
  };
  const removed = (id: string, entry: RecordedEntry) => accounts.removedUser(id, Date.parse(entry.time));
  const person = (id: string, entry: RecordedEntry): Promise<string> =>
    once(JSON.stringify([id, removed(id, entry)?.until, isAboutTyped(entry)]), async () => {
      const { name, isRemoved } = await reads.userThen(request, id, Date.parse(entry.time));
      return isRemoved && name === id && !isAboutTyped(entry) ? `${id} (removed)` : name;
    });
  const app = (id: string): Promise<string> =>
    once(`app ${id}`, async () => (await manifestOf(id))?.name ?? id);
  /** Whether a person who tried is a stranger to the record: its holder learns no names of other patients. */
  const isStranger = (entry: RecordedEntry): boolean => {
    const { user: id = '' } = entry;
    const found = removed(id, entry) ? undefined : accounts.user(id);
    return (
      isAttempt(entry) && reader.role !== 'admin' && !(found && accounts.mayOpen(found.id, holder.record))
    );
  };
  const userOf = async (entry: RecordedEntry): Promise<string | undefined> => {
    if (entry.user === undefined) return undefined;
    return isStranger(entry) ? 'Somebody who may not open the record' : person(entry.user, entry);
  };
  /** Names the operator or administrator who did something for others: the entry then has these as user and app. */
  const doerOf = async (entry: RecordedEntry): Promise<string | undefined> => {
    if (entry.account !== undefined) return `Operator ${entry.account}`;
    const administrator = administratorOf(entry);
    return administrator === undefined || administrator === entry.user
      ? undefined
      : person(administrator, entry);
  };
  return {
    keyOf: (entry: RecordedEntry): string => {
      const { time, app: appId, account, user } = entry;
      const who = user === undefined ? '' : isStranger(entry) ? '?' : user;
      return JSON.stringify([
        time.slice(0, 10),
        who,
        appId,
        account,
        what(entry, ontology),
        mannerOf(entry),
        entry.outcome,
      ]);
    },
    shown: async ({ entry, times }: GatheredEntry): Promise<ShownAccess> => {
      const { app: appId, user } = entry;
      const doer = await doerOf(entry);
      const isForOther = doer !== undefined;
      const named = [await userOf(entry)].filter((part) => part !== undefined);
      if (appId !== undefined)
        named.push(`${named.length > 0 ? 'with the' : isForOther ? 'the' : 'The'} app ${await app(appId)}`);
      const whom = named.join(' ');
      const acted = (isForOther ? administratorOf(entry) : user) ?? '';
      const role = (!removed(acted, entry) && accounts.user(acted)?.role) || '';
      const done = what(entry, ontology) + mannerOf(entry);
      return {
        time: entry.time,
        who: doer ?? (whom || 'Somebody who did not say who they are'),
        role: isStranger(entry) ? '' : role,
        isOwn: isOwn(parts, entry, reader.id),
        what: isForOther && whom !== '' ? `${done}: ${whom}` : done,
        why:
          (await closedTo(entry, (kind, id) => (kind === 'app' ? app(id) : person(id, entry)))) ??
          entry.purpose ??
          '',
        wasRefused: wasRefused(entry),
        times,
      };
    },
  };
}
