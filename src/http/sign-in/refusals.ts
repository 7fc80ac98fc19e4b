import { messagePage, type Message } from '../html/layout.js';
import type { PlainAnswer } from '../answer.js';
import { pageAnswer } from './page-answer.js';
import type { Visitor } from './visitor.js';

const ROLES =
  'The operator of this container gives roles, with the command chartgraph user change ID --role analyst.';

const AGAIN = 'Go back to the app and begin again if you want to go on.';

const refusal = (status: number, title: string, ...sentences: string[]) => ({ status, title, sentences });

const table = {
  gone: refusal(
    410,
    'This request is over',
    'The app’s request for access has been used already, or its ten minutes are over. No access was given now.',
    AGAIN,
  ),
  denied: refusal(
    410,
    'This request was denied',
    'The app’s request for access was denied. No access was given.',
    AGAIN,
  ),
  foreign: refusal(
    403,
    'This request belongs to another browser',
    'The app’s request for access was opened in another browser or by another person. No access was given now.',
    AGAIN,
  ),
  record: refusal(
    403,
    'This record is not yours to open',
    'The app asks for a record that was not given to you. No access was given.',
  ),
  noRecord: refusal(
    404,
    'No such record',
    'The app asks for a record that does not exist. No access was given.',
  ),
  form: refusal(
    400,
    'The answer cannot be read',
    'The form did not say what you decided. No access was given.',
    AGAIN,
  ),
  analyst: refusal(
    403,
    'No access to records yet',
    'You are signed in as an analyst. Analysts cannot open records or let apps into them yet.',
  ),
  notAnalyst: refusal(
    403,
    'The workbench is for analysts',
    'Queries over all records are for users whose role is analyst.',
    ROLES,
  ),
  noQueryTokens: refusal(
    403,
    'Tokens for queries are for analysts',
    'Only users whose role is analyst have tokens for queries.',
    ROLES,
  ),
  noExplanation: refusal(
    403,
    'This is not yours to see explained',
    'Only administrators and people who may open the record can see how a call is answered; analysts can for searches.',
  ),
  admin: refusal(
    403,
    'Administrators do not open records',
    'You are signed in as an administrator. You can see and end the access of apps, but not let them into records.',
  ),
  adminRecord: refusal(
    403,
    'Administrators do not open records',
    'You are signed in as an administrator. You can see who looked at a record, but not what it holds.',
  ),
  notRelated: refusal(
    403,
    'This is not a record of your patients',
    'You can open only the records of your own patients.',
    'In an emergency, search for your patient and follow the link below the search: you give a reason, and the patient and the administrators see it.',
  ),
  accesses: refusal(
    403,
    'This is not yours to see',
    'Who looked at a record is shown to the person whose record it is, and to administrators.',
  ),
  noApp: refusal(
    404,
    'There is no such app',
    'No app of this name is installed here, or it has no page of its own to open.',
  ),
};

export type RefusalName = keyof typeof table;

/** Shown to a person who denied an app without a callback. */
export const youDenied = (app: string): Message => ({
  title: 'You did not allow it',
  sentences: [`“${app}” gets no access. You can close this page, or go back to the app.`],
});

export function refusalAnswer({ page }: Visitor, name: RefusalName): PlainAnswer {
  const { status, ...message } = table[name];
  return pageAnswer(page, messagePage(page, message), { status });
}
