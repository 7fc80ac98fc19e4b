import { AccountError } from '../../access/accounts/account-ids.js';
import type { RecordedEntry } from '../../access/log/access-entry.js';
import { flowOf } from '../../http/request-context.js';
import { inputField, parameterFields } from '../../http/html/form-fields.js';
import { typedDate } from '../../http/html/typed-date.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { firstDay, isNumber, logFilter, requireKnown } from './log-filter.js';
import { inIds, inWords } from './log-rows.js';
import { logWords } from './log-words.js';
import { isLogKind, LOG_KINDS, onlyNames } from './log-sentences.js';
import { optional, type MakeSection, type Row } from './section.js';

const MOST = 5000;

const LEFT_OUT: Row = {
  cells: ['', '', 'Earlier acts are left out here. Choose an earlier “To day” to see them.', '', ''],
};

/** The access log: what `chartgraph audit` shows. */
export const accessLogSection: MakeSection = (parts) => ({
  name: 'log',
  title: 'Access log',
  isCompact: true,
  isByTime: true,
  about:
    'Who did what, newest first. One row holds what one person did with one record within a minute, or all refused requests from one address in a day. By default, All acts leaves out pages that only showed somebody’s name; choose Everything to see them. The download lists every entry. Reading this log is recorded too; a search for one record leaves that out.',
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
    'Name of who',
    'Name of about user',
  ],
  filters: (fields) => [
    filterField(fields, 'user', 'Name or user'),
    filterField(fields, 'app', 'App'),
    filterField(fields, 'record', 'Record or patient'),
    dayField('since', 'From day', firstDay(fields)),
    dayField('until', 'To day', optional(fields, 'until')),
    parameterFields([
      {
        ...{ name: 'kind', comment: 'What', value: fields.get('kind') ?? '' },
        choices: [
          ['', 'All acts'],
          ['all', 'Everything'],
          ...Object.entries(LOG_KINDS).map(([kind, [words]]) => [kind, words] as const),
        ],
      },
    ]),
  ],
  list: async (request, fields) => {
    const filter = await logFilter(parts, request, fields);
    const { record } = filter;
    const { hasRecord } = parts.flow;
    const isTable = fields.get('format') === 'csv';
    const kind = fields.get('kind') ?? '';
    const isOfKind = isLogKind(kind) ? LOG_KINDS[kind][1] : () => true;
    const hasNames = kind !== '' || isTable;
    flowOf(parts.flow, request.context).audit('audit', {
      user: request.visitor.user?.id,
      // What is no number may be a name that somebody typed.
      record: record !== undefined && (isNumber(record) || (await hasRecord(record))) ? record : undefined,
    });
    const rows = await parts.administration.entries(
      { ...filter, limit: MOST },
      (entry) =>
        filter.isMeant(entry) &&
        isOfKind(entry) &&
        (hasNames || !onlyNames(entry)) &&
        (record === undefined || !isOfLog(entry)),
    );
    if (rows.length === 0) await requireKnown(parts, fields, filter);
    const words = logWords(parts, request);
    if (isTable) return inIds(rows, words);
    return [...inWords(rows, words), ...(rows.length < MOST ? [] : [LEFT_OUT])];
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
        const { intact, brokenAt, reason, entries } = await parts.administration.verifyLog();
        if (!intact) throw new AccountError(`The access log is broken at entry ${brokenAt}: ${reason}.`);
        // Shown now, not by an address: that could be opened again without a check.
        return {
          shown: { text: `Checked all ${entries} entries: the log is intact.`, values: [] },
        };
      },
    },
  ],
});

/** Whether an entry is of reading this log, which says nothing about a record to an administrator who reads it. */
const isOfLog = ({ action, resource }: RecordedEntry): boolean =>
  action === 'audit' || resource === '/admin/log';

const dayField = (name: string, label: string, value = '') =>
  inputField(name, label, { type: 'date', required: false, value: typedDate(value) });

const filterField = (fields: Fields, name: string, label: string) =>
  inputField(name, label, { required: false, value: fields.get(name) ?? '', maxlength: 64 });
