import { readableMinute } from '../../http/html/readable.js';
import { AccountError } from '../../access/accounts/account-ids.js';
import { wasRefused, type RecordedEntry } from '../../access/log/access-entry.js';
import { authorityOf, withoutBeginnings, type GatheredEntry } from '../../access/log/gathered-entries.js';
import type { PageParts } from '../../http/app-parts.js';
import { flowOf } from '../../http/request-context.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import { html } from '../../http/html/html.js';
import { DATE_PROBLEM, typedDate } from '../../http/html/typed-date.js';
import type { Fields, PageRequest } from '../../http/sign-in/page-request.js';
import { groupedBy } from '../../rdf/by-key.js';
import type { Cell } from './list-cells.js';
import { logWords } from './log-words.js';
import { isLogKind, LOG_KINDS } from './log-sentences.js';
import { userMeant } from './user-meant.js';
import { optional, type MakeSection, type Row } from './section.js';

const MOST = 5000;
const DAY = 24 * 60 * 60 * 1000;
const LATELY = 30 * DAY;

/** The access log: what `chartgraph audit` shows. */
export const accessLogSection: MakeSection = (parts) => ({
  name: 'log',
  title: 'Access log',
  isCompact: true,
  about:
    'Who did what, newest first. One row holds what one person did with one record within a minute, or all refused requests from one address in a day; the download lists every entry. Reading this log is recorded too, with the names it shows; a search for one record leaves that out.',
  none: 'Nothing is recorded yet.',
  columns: ['Time (UTC)', 'Who', 'What', 'Why', 'Address'],
  sparse: ['Why', 'Address'],
  tableColumns: [
    'Time',
    'Who',
    'App',
    'Action',
    'Record',
    'What',
    'Outcome',
    'Address',
    'Reason',
    'Times',
    'About user',
  ],
  filters: (fields) => [
    filterField(fields, 'user', 'Name or user'),
    filterField(fields, 'app', 'App'),
    filterField(fields, 'record', 'Record (number)'),
    dayField('since', 'From day', firstDay(fields)),
    dayField('until', 'To day', optional(fields, 'until')),
    parameterFields([
      {
        ...{ name: 'kind', comment: 'What', value: fields.get('kind') ?? '' },
        choices: [
          ['', 'Everything'],
          ...Object.entries(LOG_KINDS).map(([kind, [words]]) => [kind, words] as const),
        ],
      },
    ]),
  ],
  list: async (request, fields) => {
    const [since, last] = [firstDay(fields), optional(fields, 'until')].map(dayIn);
    const record = optional(fields, 'record');
    const kind = fields.get('kind') ?? '';
    if (since !== undefined && last !== undefined && since > last)
      throw new AccountError('“From day” is after “To day”.');
    const isOfKind = isLogKind(kind) ? LOG_KINDS[kind][1] : () => true;
    flowOf(parts.flow, request.context).audit('audit', { user: request.visitor.user?.id, record });
    const rows = await parts.administration.entries(
      {
        ...{ user: await userOf(parts, request, fields), app: await appOf(parts, fields), record, since },
        ...{ before: last === undefined ? undefined : last + DAY, limit: MOST },
      },
      (entry) => isOfKind(entry) && (record === undefined || !isOfLog(entry)),
    );
    if (rows.length === 0) await requireKnown(parts, request, fields);
    if (fields.get('format') !== 'csv') return inWords(rows, logWords(parts, request));
    return rows.map(({ entry, times }) => ({
      cells: [
        entry.time,
        authorityOf(entry) ?? entry.user ?? '',
        entry.app ?? '',
        entry.action,
        entry.record ?? '',
        entry.resource ?? entry.tokenId ?? '',
        entry.outcome,
        entry.address ?? '',
        entry.reason ?? entry.purpose ?? '',
        times > 1 ? String(times) : '',
        (authorityOf(entry) !== undefined && entry.user) || '',
      ],
    }));
  },
  forms: [
    {
      act: 'verify',
      decision: 'audit',
      title: 'Check the log',
      hint: 'Checks that no entry has been changed, moved, added or removed. A long log takes minutes.',
      button: 'Check the log',
      about: ({ admin }) => ({ user: admin.id }),
      run: async () => {
        const { intact, brokenAt, reason } = await parts.administration.verifyLog();
        if (!intact) throw new AccountError(`The access log is broken at entry ${brokenAt}: ${reason}.`);
      },
      done: 'The log is intact.',
    },
  ],
});

/** Whether an entry is of reading this log, which says nothing about a record to an administrator who reads it. */
const isOfLog = ({ action, resource }: RecordedEntry): boolean =>
  action === 'audit' || resource === '/admin/log';

/** Returns the day to begin with: by kind alone, the whole log would be read for the rare ones. */
function firstDay(fields: Fields): string | undefined {
  const named = ['user', 'app', 'record', 'until'].some((name) => optional(fields, name) !== undefined);
  const latest = named || !isLogKind(fields.get('kind') ?? '') ? undefined : Date.now() - LATELY;
  return (
    optional(fields, 'since') ??
    (latest === undefined ? undefined : new Date(latest).toISOString().slice(0, 10))
  );
}

/** Returns the first millisecond of a day that a person typed. @throws AccountError for what is no day */
function dayIn(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/u.test(typedDate(typed)) ? Date.parse(typedDate(typed)) : NaN;
  if (Number.isNaN(time)) throw new AccountError(DATE_PROBLEM);
  return time;
}

/** Returns who is meant by an id, an operator's account, or a name. @throws AccountError for several of the name */
async function userOf(parts: PageParts, request: PageRequest, fields: Fields): Promise<string | undefined> {
  const typed = optional(fields, 'user');
  return typed === undefined ? undefined : ((await userMeant(parts, request, typed)) ?? typed);
}

/** @throws AccountError for a user, app or record that does not exist; of one that is gone the log may have entries */
async function requireKnown(parts: PageParts, request: PageRequest, fields: Fields): Promise<void> {
  const { accounts, hasRecord } = parts.flow;
  const [user, record] = [optional(fields, 'user'), optional(fields, 'record')];
  const app = await appOf(parts, fields);
  if (user !== undefined && (await userMeant(parts, request, user)) === undefined)
    throw new AccountError(`There is no user “${user}”.`);
  if (app !== undefined && !accounts.app(app)) throw new AccountError(`There is no app “${app}”.`);
  if (record !== undefined && !(await hasRecord(record)))
    throw new AccountError(`There is no record ${record}.`);
}

async function appOf({ flow }: PageParts, fields: Fields): Promise<string | undefined> {
  const typed = optional(fields, 'app');
  const manifests = await Promise.all(flow.accounts.listApps().map(({ id }) => flow.manifestOf(id)));
  return manifests.find((each) => each?.name.toLowerCase() === typed?.toLowerCase())?.id ?? typed;
}

function inWords(found: readonly GatheredEntry[], words: ReturnType<typeof logWords>): Row[] {
  return [...groupedBy(withoutBeginnings(found), ({ entry }) => words.keyOf(entry)).values()].map((rows) => {
    const entries = rows.map(({ entry }) => entry);
    const [{ entry: latest, times }] = rows as [GatheredEntry];
    const { time, address = '' } = latest;
    return {
      cells: [
        readableMinute(Date.parse(time))
          .replace(' UTC', '')
          .replaceAll(/(?<!,) /gu, '\u00a0'),
        () => words.who(latest),
        async () =>
          outcomeCell(`${await words.what(entries)}${times > 1 ? ` (${times} times that day)` : ''}`, latest),
        () => words.why(latest),
        address,
      ],
    };
  });
}

function outcomeCell(text: string, entry: RecordedEntry): Cell {
  if (wasRefused(entry))
    return {
      text: `${text}: ${entry.outcome}`,
      drawn: html`${text} <span class="outside">${entry.outcome}</span>`,
    };
  return entry.outcome === 'begun' ? `${text} (under way)` : text;
}

const dayField = (name: string, label: string, value = '') =>
  inputField(name, label, { type: 'date', required: false, value: typedDate(value) });

const filterField = (fields: Fields, name: string, label: string) =>
  inputField(name, label, { required: false, value: fields.get(name) ?? '', maxlength: 64 });
