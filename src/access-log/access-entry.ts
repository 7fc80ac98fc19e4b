/** What came of an access. A command has two entries: `begun`, and how it ended. */
export type Outcome = 'begun' | 'done' | 'refused' | 'failed';

/**
 * One access: who, on whose behalf, what, why, from where, and what came of it. Ids, paths and numbers only: no value of
 * a record, no secret, no query string; of an analyst's query its text.
 */
export interface AccessEntry {
  /** `read`, `write`, `remove`, `query`, the name of a decision, or of a command. */
  readonly action: string;
  readonly outcome: Outcome;
  /** The user of the container. */
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  /** The account of the operating system, for the command line. */
  readonly account?: string | undefined;
  /** The user in whose place `user` acts. */
  readonly onBehalfOf?: string | undefined;
  /** The id that `token list` shows. */
  readonly tokenId?: string | undefined;
  /** The IRI of the call. */
  readonly call?: string | undefined;
  /** A path below the base URL, without a query string. */
  readonly resource?: string | undefined;
  readonly record?: string | undefined;
  /** Why, where it was said; text of whoever asks. */
  readonly purpose?: string | undefined;
  /** Of a query: how much of people it may see. */
  readonly level?: string | undefined;
  /** Of a mirror the server that data was copied to, of a delivery the address that was told. */
  readonly to?: string | undefined;
  /** Of a query: its text, which may hold what somebody looks for. */
  readonly query?: string | undefined;
  /** Of a query: how many rows it gave, and the milliseconds that it took. */
  readonly rows?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** Network address of the caller. */
  readonly address?: string | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  /** The revision that was read or made. */
  readonly revision?: number | string | undefined;
  readonly requestId?: string | undefined;
  /** Why it was refused, in a word. */
  readonly reason?: string | undefined;
  /** What retention has taken away: all entries up to a number, and the hash that the chain had there. */
  readonly dropped?: DroppedEntries | undefined;
}

export interface DroppedEntries {
  readonly through: number;
  readonly hash: string;
}

/** An entry as it is read back. */
export interface RecordedEntry extends AccessEntry {
  /** Its number: they begin with 1 and have no gaps. */
  readonly number: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
}

/** Longer text is cut: an entry is a line, not a place to put things. */
const MOST_CHARACTERS = 500;

/**
 * The members of an entry in the order in which a line holds their values. What is written and synced for each access is
 * paid for by its bytes, of which names would be a third. New ones go to the end: lines of before are read by the same list.
 */
const MEMBERS = [
  'time',
  'action',
  'outcome',
  'status',
  'user',
  'app',
  'tokenId',
  'call',
  'resource',
  'record',
  'address',
  'revision',
  'requestId',
  'reason',
  'account',
  'onBehalfOf',
  'purpose',
  'level',
  'to',
  'rows',
  'milliseconds',
  'query',
  'dropped',
] as const satisfies readonly (keyof RecordedEntry)[];

/** The text of an entry that is stored: a JSON array of the values of its members; those at the end that have none are left out. */
export function entryText(entry: AccessEntry, time: string): string {
  // Written out, since a loop over the names takes a third longer.
  const values: unknown[] = [
    time,
    cut(entry.action),
    entry.outcome,
    entry.status,
    cut(entry.user),
    cut(entry.app),
    cut(entry.tokenId),
    cut(entry.call),
    pathOnly(entry.resource),
    cut(entry.record),
    cut(entry.address),
    entry.revision,
    cut(entry.requestId),
    cut(entry.reason),
    cut(entry.account),
    cut(entry.onBehalfOf),
    cut(entry.purpose),
    entry.level,
    pathOnly(entry.to),
    entry.rows,
    entry.milliseconds,
    // Never cut: what was asked is told whole.
    entry.query,
    entry.dropped,
  ];
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/**
 * Reads what entryText made, now or in versions until 0.16, which wrote a JSON object.
 * @throws SyntaxError or TypeError for anything else
 */
export function readEntryText(text: string, number: number): RecordedEntry {
  const read: unknown = JSON.parse(text);
  const value = (Array.isArray(read) ? entryOf(read) : read) as Omit<RecordedEntry, 'number'> | null;
  if (typeof value?.time !== 'string' || typeof value.action !== 'string') throw new TypeError('no entry');
  return { number, ...value };
}

function entryOf(values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    MEMBERS.map((name, at) => [name, values[at] ?? undefined]).filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;
}

function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
}

/** A query string may hold what somebody searches for. */
function pathOnly(resource: string | undefined): string | undefined {
  const end = resource?.search(/[?#]/u) ?? -1;
  return cut(end < 0 ? resource : resource?.slice(0, end));
}
