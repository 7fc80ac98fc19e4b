import { AccountError } from '../../access/accounts/account-ids.js';
import { flowOf } from '../../http/request-context.js';
import { inputField } from '../../http/html/form-fields.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { optional, type MakeSection } from './section.js';

const MOST = 5000;

/** The access log: what `chartgraph audit` shows. */
export const accessLogSection: MakeSection = ({ administration, flow }) => ({
  name: 'log',
  title: 'Access log',
  about:
    'Who did what, the latest first, in UTC. Refused requests of one sender and day share a row. Reading the log is recorded, too.',
  columns: ['Time', 'Who', 'App', 'Action', 'Record', 'What', 'Outcome', 'Address', 'Reason', 'Times'],
  filters: (fields) => [
    filterField(fields, 'user', 'User or operator'),
    filterField(fields, 'app', 'App'),
    filterField(fields, 'record', 'Record'),
    filterField(fields, 'since', 'Since', 'date'),
  ],
  list: async ({ visitor, context }, fields) => {
    const typed = optional(fields, 'since');
    const since = typed === undefined ? undefined : Date.parse(typed);
    if (typed !== undefined && (!/^\d{4}-\d\d-\d\d$/u.test(typed) || Number.isNaN(since)))
      throw new AccountError('Type the day as 2026-01-31.');
    const [user, app, record] = ['user', 'app', 'record'].map((name) => optional(fields, name));
    flowOf(flow, context).audit('audit', { user: visitor.user?.id, record });
    const rows = await administration.entries({ user, app, record, since, limit: MOST });
    return rows.map(({ entry, times }) => ({
      cells: [
        entry.time,
        entry.account ?? entry.user ?? '',
        entry.app ?? '',
        entry.action,
        entry.record ?? '',
        entry.resource ?? entry.tokenId ?? '',
        entry.outcome,
        entry.address ?? '',
        entry.reason ?? entry.purpose ?? '',
        times > 1 ? String(times) : '',
      ],
    }));
  },
  forms: [
    {
      act: 'verify',
      decision: 'audit',
      title: 'Check the log',
      hint: 'Checks that no entry was changed, moved, added or taken away. A long log takes minutes.',
      button: 'Check the log',
      run: async ({ admin }) => {
        const { intact, brokenAt, reason } = await administration.verifyLog();
        if (!intact) throw new AccountError(`The access log is broken at entry ${brokenAt}: ${reason}.`);
        return { facts: { user: admin.id } };
      },
      done: 'The log is intact.',
    },
  ],
});

const filterField = (fields: Fields, name: string, label: string, type = 'text') =>
  inputField(name, label, { type, required: false, value: fields.get(name) ?? '', maxlength: 64 });
