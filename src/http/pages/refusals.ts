import { messagePage, type Message } from '../../pages/message-page.js';
import type { PlainAnswer } from '../answer.js';
import { pageAnswer } from './page-answer.js';
import type { Visitor } from './visitor.js';

type Refusal = Message & { readonly status: number };

/** No page gives roles, to administrators neither. */
const ROLES =
  'Whoever runs this container gives roles, with the command chartgraph user add ID --given-name NAME --family-name NAME --role analyst.';

const AGAIN = 'Go back to the app and begin again if you want to go on.';

/** Every page that says no, with its status. */
const table = {
  gone: {
    status: 410,
    title: 'This request is over',
    sentences: [
      'The app’s request for access has been used already, or its ten minutes are over. No access was given now.',
      AGAIN,
    ],
  },
  denied: {
    status: 410,
    title: 'This request was denied',
    sentences: ['The app’s request for access was denied. No access was given.', AGAIN],
  },
  foreign: {
    status: 403,
    title: 'This request belongs to another browser',
    sentences: [
      'The app’s request for access was opened in another browser or by another person. No access was given now.',
      AGAIN,
    ],
  },
  record: {
    status: 403,
    title: 'This record is not yours to open',
    sentences: ['The app asks for a record that was not given to you. No access was given.'],
  },
  noRecord: {
    status: 404,
    title: 'There is no such record',
    sentences: ['The app asks for a record that does not exist. No access was given.'],
  },
  form: {
    status: 400,
    title: 'The answer cannot be read',
    sentences: ['The form did not say what you decided. No access was given.', AGAIN],
  },
  analyst: {
    status: 403,
    title: 'No access to records yet',
    sentences: ['You are signed in as an analyst. Analysts cannot open records or let apps into them yet.'],
  },
  notAnalyst: {
    status: 403,
    title: 'The workbench is for analysts',
    sentences: ['Queries over all records are for users whose role is analyst.', ROLES],
  },
  noQueryTokens: {
    status: 403,
    title: 'Tokens for queries are for analysts',
    sentences: ['Only users whose role is analyst have tokens for queries.', ROLES],
  },
  noExplanation: {
    status: 403,
    title: 'This is not yours to see explained',
    sentences: [
      'How calls are answered is shown to administrators, to whoever may open the record, and of searches to analysts.',
    ],
  },
  admin: {
    status: 403,
    title: 'Administrators do not open records',
    sentences: [
      'You are signed in as an administrator. You can see and end the access of apps, but not let them into records.',
    ],
  },
  adminRecord: {
    status: 403,
    title: 'Administrators do not open records',
    sentences: [
      'You are signed in as an administrator. You can see who looked at a record, but not what it holds.',
    ],
  },
  accesses: {
    status: 403,
    title: 'This is not yours to see',
    sentences: ['Who looked at a record is shown to the person whose record it is, and to administrators.'],
  },
  noApp: {
    status: 404,
    title: 'There is no such app',
    sentences: ['No app of this name is installed here, or it has no page of its own to open.'],
  },
} as const satisfies Record<string, Refusal>;

export type RefusalName = keyof typeof table;

/** What somebody reads who did not let an app in that has no address to go back to. */
export const youDenied = (app: string): Message => ({
  title: 'You did not allow it',
  sentences: [`“${app}” gets no access. You can close this page, or go back to the app.`],
});

/** One of the pages that say no. */
export function refusalAnswer({ page }: Visitor, name: RefusalName): PlainAnswer {
  const { status, ...message } = table[name];
  return pageAnswer(page, messagePage(page, message), { status });
}
