import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  type Decipher,
  randomBytes,
} from 'node:crypto';
import { isInTheClear } from './segment-files.js';

/** The access log cannot be written or read; the message says what to do. */
export class AccessLogError extends Error {
  override readonly name = 'AccessLogError';
}

/** The stored form of entries. The hash chain covers the stored form, so verifying needs no key. */
export type Sealing = ReturnType<typeof sealedWith>;

const CIPHER = 'aes-256-ctr';
const BLOCK = 16;
const STREAM_BYTES = 16;
const STORED = /^([A-Za-z0-9_-]{22})\.(\d{1,15})\.([A-Za-z0-9_-]+)$/u;
/** The most streams cached for reading: entries of several processes interleave. */
const OPEN_STREAMS = 64;

interface Reading {
  readonly decipher: Decipher;
  at: number;
}

/**
 * Seals entries with AES-256-CTR (NIST SP 800-38A) as `stream.offset.content`; stream and content are base64url. Each
 * process writes its own stream, under a key derived from the log's key and the stream's random name, so that no part
 * of a key stream is used twice. A cipher per entry would cost more than all the rest. The hash chain shows changes.
 * Entries in the clear begin as JSON does.
 * @param key the log's key, 32 bytes
 */
export function sealedWith(key: Uint8Array) {
  const keyOf = (use: string): Buffer => createHmac('sha256', key).update(use).digest();
  const naming = keyOf('names');
  const streamKey = (stream: string): Buffer => keyOf(`stream ${stream}`);
  let writing: { readonly stream: string; readonly cipher: Cipher; at: number } | undefined;
  const readings = new Map<string, Reading>();

  const begin = (): NonNullable<typeof writing> => {
    const stream = randomBytes(STREAM_BYTES).toString('base64url');
    return { stream, cipher: createCipheriv(CIPHER, streamKey(stream), Buffer.alloc(BLOCK)), at: 0 };
  };

  const readingAt = (stream: string, offset: number): Reading => {
    const open = readings.get(stream);
    if (open?.at === offset) return open;
    const counter = Buffer.alloc(BLOCK);
    counter.writeBigUInt64BE(BigInt(Math.floor(offset / BLOCK)), BLOCK - 8);
    const decipher = createDecipheriv(CIPHER, streamKey(stream), counter);
    decipher.update(Buffer.alloc(offset % BLOCK));
    const reading = { decipher, at: offset };
    if (readings.size >= OPEN_STREAMS) readings.clear();
    readings.set(stream, reading);
    return reading;
  };

  return {
    /** Returns the stored forms of texts: each is one line of printable ASCII other than `closed`. */
    seal(texts: readonly string[]): string[] {
      const open = (writing ??= begin());
      // One call for all texts, because a call costs as much as encrypting an entry.
      const contents = open.cipher.update(texts.join(''), 'utf8');
      let from = 0;
      const stored = texts.map((text) => {
        const end = from + Buffer.byteLength(text);
        const content = contents.toString('base64url', from, end);
        const line = `${open.stream}.${open.at + from}.${content}`;
        from = end;
        return line;
      });
      open.at += contents.length;
      return stored;
    },
    /** Returns the text of a stored form, sealed or in the clear. @throws when it cannot be opened */
    open(stored: string): string {
      if (isInTheClear(stored)) return stored;
      const [, stream, offset, text] = STORED.exec(stored) ?? [];
      if (stream === undefined || text === undefined) throw new Error('the entry is not one of the log');
      const content = Buffer.from(text, 'base64url');
      const reading = readingAt(stream, Number(offset));
      reading.at += content.length;
      return reading.decipher.update(content).toString('utf8');
    },
    /** The name of an id in the index; without the key nobody can test which ids are there. */
    name: (id: string) => createHmac('sha256', naming).update(id).digest('base64url'),
  };
}

/** A command has two entries: `begun`, and how it ended. */
export type Outcome = 'begun' | 'done' | 'refused' | 'failed';

/** Holds ids, paths and numbers: no values of records, secrets or query strings, except an analyst's query. */
export interface AccessEntry {
  /** `read`, `write`, `remove`, `query`, or the name of a decision or command. */
  readonly action: string;
  readonly outcome: Outcome;
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  readonly account?: string | undefined;
  /** The user for whom `user` acts. */
  readonly onBehalfOf?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly call?: string | undefined;
  /** A path below the base URL, without a query string. */
  readonly resource?: string | undefined;
  readonly record?: string | undefined;
  readonly purpose?: string | undefined;
  readonly level?: string | undefined;
  /** The server that a mirror copies to, or the address of a delivery. */
  readonly to?: string | undefined;
  readonly query?: string | undefined;
  readonly rows?: number | undefined;
  readonly milliseconds?: number | undefined;
  readonly address?: string | undefined;
  readonly status?: number | undefined;
  readonly revision?: number | string | undefined;
  readonly requestId?: string | undefined;
  readonly reason?: string | undefined;
  readonly dropped?: DroppedEntries | undefined;
}

export interface DroppedEntries {
  readonly through: number;
  readonly hash: string;
}

export interface RecordedEntry extends AccessEntry {
  readonly number: number;
  readonly time: string;
}

const BY = /^by ([^\s;]+)(?:; (.+))?$/u;

/** Returns the administrator who did in a page what the entry says; `user` is then whom it is about. */
export const administratorOf = ({ reason }: AccessEntry): string | undefined => BY.exec(reason ?? '')?.[1];

/** Returns what an administrator gave, such as a role. */
export const givenIn = ({ reason }: AccessEntry): string | undefined => BY.exec(reason ?? '')?.[2];

/** Returns the reason of an entry of what an administrator did in a page. @param given such as a role */
export const byAdministrator = (id: string, given?: string): string =>
  `by ${id}${given === undefined ? '' : `; ${given}`}`;

/** Why a read showed less, or more, than the record has for the reader: its `reason`. */
export const CLOSED = 'closed';
export const PARTLY_CLOSED = 'partly closed';
export const IN_EMERGENCY = 'in an emergency';

export const wasRefused = ({ outcome }: AccessEntry): boolean =>
  outcome === 'refused' || outcome === 'failed';

/** Whether an entry only says whom somebody typed: an act of an operator or administrator that was not done. */
export const isAboutTyped = (entry: AccessEntry): boolean =>
  entry.outcome !== 'done' && (entry.account !== undefined || administratorOf(entry) !== undefined);

/** Whether somebody only tried to reach data: anybody can cause any number of such entries. */
export function isAttempt(entry: AccessEntry): boolean {
  return wasRefused(entry) || entry.action === 'request-token.issued';
}

const REMOVAL = 'record remove';

/** Whether a record was removed: earlier entries with its id concern another one. */
export function isRemoval({ action, outcome }: AccessEntry): boolean {
  return action === REMOVAL && outcome === 'done';
}

const MAX_CHARACTERS = 500;

/** The members of an entry, in the order of their values in a line. Append new ones. */
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

/** Returns the stored text of an entry: a JSON array of its members' values, without undefined ones at the end. */
export function entryText(entry: AccessEntry, time: string): string {
  // Written out, because a loop over the names takes a third longer.
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
    // The query is never cut.
    entry.query,
    entry.dropped,
  ];
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/** Reads the output of `entryText`, or the JSON object of versions until 0.16. @throws SyntaxError or TypeError */
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
  return text !== undefined && text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
}

/** A query string may contain search terms, so it is left out. */
function pathOnly(resource: string | undefined): string | undefined {
  const end = resource?.search(/[?#]/u) ?? -1;
  return cut(end < 0 ? resource : resource?.slice(0, end));
}
