import { givenIn, type AccessEntry } from '../../access/log/access-entry.js';
import { dayOf } from '../../http/html/readable.js';
import type { Said } from './log-sentences.js';

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** How the access log keeps what an administrator gave, and reads it as a sentence of the same form. */
export const givenTexts = {
  role: (role: string): string => `role ${role}`,
  /** @returns undefined where nothing changed */
  change: (role: string, was: string, isRenamed: boolean): string | undefined =>
    [role !== was && `role ${role}, was ${was}`, isRenamed && 'name'].filter(Boolean).join('; ') || undefined,
  provider: (identifier: string, was: string): string | undefined =>
    identifier === was ? undefined : `provider identifier ${identifier || 'none'}, was ${was || 'none'}`,
  token: (until: number, level?: string): string =>
    `${level === undefined ? '' : `${level}, `}until ${isoDay(until)}`,
};

/** What an analyst with a token reads, by its level. */
export const LEVELS_IN_LOG = {
  aggregate: 'ready-made analyses only',
  deidentified: 'de-identified',
  identified: 'with names',
} as const;

const day = (until = ''): string => dayOf(Date.parse(until));
const withArticle = (role = ''): string => `${/^[aeiou]/u.test(role) ? 'an' : 'a'} ${role}`;

/** Braces and brackets are not read back: in a sentence they mark where names stand. */
const READ: readonly (readonly [
  action: string,
  text: RegExp,
  said: (...found: readonly (string | undefined)[]) => Said,
])[] = [
  ['user add', /^role (\w+)$/u, (role) => ['add', 'added', `the user {user} as ${withArticle(role)}`]],
  [
    'user change',
    /^role (\w+), was (\w+)(; name)?$/u,
    (role, was, name) => [
      'make',
      'made',
      `{user} ${withArticle(role)}; was ${was}${name ? ', and has another name' : ''}`,
    ],
  ],
  ['user change', /^name$/u, () => ['change', 'changed', 'the name of {user}']],
  [
    'user change',
    /^provider identifier none, was ([^\s{}[\]]+)$/u,
    (was) => ['take', 'took', `the provider identifier ${was} from {user}`],
  ],
  [
    'user change',
    /^provider identifier ([^\s{}[\]]+), was ([^\s{}[\]]+)$/u,
    (now, was) => ['give', 'gave', `{user} the provider identifier ${now}; was ${was}`],
  ],
  [
    'token issue',
    /^until ([\d-]{10})$/u,
    (until) => [
      'issue',
      'issued',
      `a token[ to {app}][ in the name of {user}][ for {record}], until ${day(until)}`,
    ],
  ],
  [
    'token issue',
    /^(de-identified|with names), until ([\d-]{10})$/u,
    (level, until) => [
      'issue',
      'issued',
      `a token to {user} for questions over all records, ${level}, until ${day(until)}`,
    ],
  ],
  [
    'token issue',
    /^ready-made analyses only, until ([\d-]{10})$/u,
    (until) => ['issue', 'issued', `a token to {user} for ready-made analyses only, until ${day(until)}`],
  ],
];

/** Returns the sentence of an act of an administrator, with what was given. */
export function saidOfGiven(entry: AccessEntry): Said | undefined {
  const given = givenIn(entry);
  if (given === undefined) return undefined;
  for (const [action, text, said] of READ) {
    const [found, ...parts] = (action === entry.action && text.exec(given)) || [];
    if (found !== undefined) return said(...parts);
  }
  return undefined;
}
