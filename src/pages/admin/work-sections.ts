import { AccountError } from '../../access/accounts/account-ids.js';
import { analystClient } from '../../analysts/routes/analyst-client.js';
import { replayed } from '../../services/webhooks/due-deliveries.js';
import { readableDate, readableMinute } from '../../http/html/readable.js';
import type { Acting, MakeSection } from './section.js';

/** Running queries of analysts. */
export const queriesSection: MakeSection = ({ site, settings }) => {
  const client = analystClient(settings.analystSocket ?? '', site.base);
  return {
    name: 'queries',
    title: 'Queries',
    one: 'query',
    about: 'Analysts’ queries that are running or waiting. Open one to stop it.',
    none: 'No query is running.',
    columns: ['Query', 'User', 'Purpose', 'Level', 'Since', 'Status'],
    list: async () =>
      (await client.list()).map(({ id, user, purpose, level, since, state }) => ({
        id,
        cells: [id, user, purpose, level, readableDate(since), state],
      })),
    rowForms: [
      {
        act: 'stop',
        decision: 'query end',
        title: 'Stop this query',
        button: 'Stop the query',
        isDanger: true,
        ends: true,
        about: async ({ id }) => ({ user: (await client.list()).find((query) => query.id === id)?.user }),
        asks: () => 'The query stops, and its analyst gets no answer.',
        run: async ({ id }) => {
          if (!(await client.end(id))) throw new AccountError('The query has already ended.');
        },
        done: 'The query is stopped.',
      },
    ],
  };
};

/** Subscriptions of apps: what `chartgraph subscription` does. */
export const webhooksSection: MakeSection = ({ flow: { accounts, manifestOf } }) => {
  const about = ({ id }: Acting) => {
    const { app, record } = accounts.subscription(id) ?? {};
    return { app, record };
  };
  return {
    name: 'webhooks',
    title: 'Webhooks',
    one: 'webhook',
    about:
      'Apps that get a message when a record changes. Open one to send failed messages again, or to end it.',
    none: 'No app has asked to be told of changes.',
    columns: ['App', 'Record', 'Address', 'Failures in a row', 'Last failure', 'Not delivered'],
    list: () =>
      Promise.all(
        accounts
          .listSubscriptions()
          .map(async ({ id, app, record, url, failures, reason = '', deadLetters }) => ({
            id,
            cells: [
              (await manifestOf(app))?.name ?? app,
              record,
              url,
              String(failures),
              reason,
              String(deadLetters.length),
            ],
          })),
      ),
    rowForms: [
      {
        act: 'replay',
        decision: 'subscription replay',
        title: 'Deliver again',
        hint: 'Tells the app of all changes since the first that was not delivered.',
        button: 'Deliver again',
        isFor: (id) => (accounts.subscription(id)?.deadLetters ?? []).length > 0,
        about,
        run: async ({ id }) => {
          await accounts.changeSubscription(id, (now) =>
            replayed(now, now.deadLetters[0]?.since ?? now.position),
          );
        },
        done: 'The changes will be delivered again.',
      },
      {
        act: 'remove',
        decision: 'subscription remove',
        title: 'End this subscription',
        hint: 'The app gets no more messages until it subscribes again.',
        button: 'End the subscription',
        isDanger: true,
        ends: true,
        isFor: (id) => accounts.subscription(id) !== undefined,
        about,
        asks: async ({ id }) => {
          const { app = '', record } = accounts.subscription(id) ?? {};
          return `“${(await manifestOf(app))?.name ?? app}” is no longer told when record ${record} changes, until it subscribes again.`;
        },
        run: async ({ id }) => {
          await accounts.changeSubscription(id, () => undefined);
        },
        done: 'The subscription has ended.',
      },
    ],
  };
};

/** Exports of apps. */
export const exportsSection: MakeSection = ({ flow: { accounts, manifestOf } }) => ({
  name: 'exports',
  title: 'Exports',
  one: 'export',
  about: 'Exports of all records, by app. Open one to end it and delete its files.',
  none: 'No app has started an export.',
  columns: ['App', 'Status', 'Started', 'Records', 'Reason'],
  list: () =>
    Promise.all(
      accounts.listExports().map(async ({ id, app, state, created, records, reason = '' }) => ({
        id,
        cells: [
          (await manifestOf(app))?.name ?? app,
          state,
          readableMinute(created),
          String(records),
          reason,
        ],
      })),
    ),
  rowForms: [
    {
      act: 'end',
      decision: 'export end',
      title: 'End this export',
      button: 'End the export',
      isDanger: true,
      isFor: (id) => accounts.bulkExport(id) !== undefined,
      about: ({ id }) => ({ app: accounts.bulkExport(id)?.app }),
      asks: async ({ id }) => {
        const { app = '' } = accounts.bulkExport(id) ?? {};
        return `The export of “${(await manifestOf(app))?.name ?? app}” ends, and its files are deleted. This cannot be undone.`;
      },
      run: async ({ id }) => {
        const end = { state: 'ended', updated: Date.now() } as const;
        await accounts.changeExport(id, (now) => ({ ...now, ...end }));
      },
      done: 'The export has ended.',
    },
  ],
});
