import { AccountError } from '../../access/accounts/account-ids.js';
import { analystClient } from '../../analysts/routes/analyst-client.js';
import { replayed } from '../../services/webhooks/due-deliveries.js';
import { minute } from './minute.js';
import type { MakeSection } from './section.js';

/** Running queries of analysts. */
export const queriesSection: MakeSection = ({ site, settings }) => {
  const client = analystClient(settings.analystSocket ?? '', site.base);
  return {
    name: 'queries',
    title: 'Queries',
    about: 'Queries of analysts that run or wait. Open one to stop it.',
    columns: ['Query', 'User', 'Purpose', 'Level', 'Since', 'State'],
    list: async () =>
      (await client.list()).map(({ id, user, purpose, level, since, state }) => ({
        id,
        cells: [id, user, purpose, level, since, state],
      })),
    rowForms: [
      {
        act: 'stop',
        decision: 'query end',
        title: 'Stop this query',
        button: 'Stop the query',
        isDanger: true,
        ends: true,
        run: async ({ id }) => {
          const user = (await client.list()).find((query) => query.id === id)?.user;
          if (!(await client.end(id))) throw new AccountError('The query has ended already.');
          return { facts: { user } };
        },
        done: 'The query is stopped.',
      },
    ],
  };
};

/** Subscriptions of apps: what `chartgraph subscription` does. */
export const webhooksSection: MakeSection = ({ flow: { accounts } }) => {
  const existing = (id: string) => {
    const found = accounts.subscription(id);
    if (!found) throw new AccountError('There is no such subscription.');
    return found;
  };
  return {
    name: 'webhooks',
    title: 'Webhooks',
    about: 'What apps are told of changes. Open one to deliver again what failed, or to end it.',
    columns: ['Subscription', 'App', 'Record', 'Address', 'Failures', 'Reason', 'Not delivered'],
    list: () =>
      accounts.listSubscriptions().map(({ id, app, record, url, failures, reason = '', deadLetters }) => ({
        id,
        cells: [id, app, record, url, String(failures), reason, String(deadLetters.length)],
      })),
    rowForms: [
      {
        act: 'replay',
        decision: 'subscription replay',
        title: 'Deliver again',
        hint: 'Tells the app of all changes since the first that was not delivered.',
        button: 'Deliver again',
        run: async ({ id }) => {
          const { app, record, deadLetters } = existing(id);
          const from = deadLetters[0]?.since;
          if (from === undefined) throw new AccountError('Everything has been delivered.');
          await accounts.changeSubscription(id, (now) => replayed(now, from));
          return { facts: { app, record } };
        },
        done: 'The changes will be delivered again.',
      },
      {
        act: 'remove',
        decision: 'subscription remove',
        title: 'End this subscription',
        button: 'End the subscription',
        isDanger: true,
        ends: true,
        run: async ({ id }) => {
          const { app, record } = existing(id);
          await accounts.changeSubscription(id, () => undefined);
          return { facts: { app, record } };
        },
        done: 'The subscription has ended.',
      },
    ],
  };
};

/** Exports of apps. */
export const exportsSection: MakeSection = ({ flow: { accounts } }) => ({
  name: 'exports',
  title: 'Exports',
  about: 'Exports of all records by apps. Open one to end it: its files are removed.',
  columns: ['Export', 'App', 'State', 'Begun', 'Records', 'Reason'],
  list: () =>
    accounts.listExports().map(({ id, app, state, created, records, reason = '' }) => ({
      id,
      cells: [id, app, state, minute(created), String(records), reason],
    })),
  rowForms: [
    {
      act: 'end',
      decision: 'export end',
      title: 'End this export',
      button: 'End the export',
      isDanger: true,
      run: async ({ id }) => {
        const end = { state: 'ended', updated: Date.now() } as const;
        const ended = await accounts.changeExport(id, (now) => ({ ...now, ...end }));
        if (!ended) throw new AccountError('There is no such export.');
        return { facts: { app: ended.app } };
      },
      done: 'The export has ended.',
    },
  ],
});
