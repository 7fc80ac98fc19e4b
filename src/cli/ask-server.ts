import { userInfo } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { LevelName } from '../analysts/levels.js';
import { findAnalysts } from '../analysts/local-analysts.js';
import { resultFormatNames, resultType, type ResultFormatName } from '../analysts/result-formats.js';
import type { AnswerFormats } from '../analysts/thread-messages.js';
import { analystClient } from '../analysts/routes/analyst-client.js';
import { Problem } from '../model/problem.js';
import { formats, type RdfFormat } from '../rdf/formats.js';
import { CommandError } from './command-errors.js';
import { readText } from './argument-values.js';
import { isConfidential } from '../http/setting-kinds.js';

export interface ServerQuery {
  readonly sparql: string;
  readonly formats: AnswerFormats;
  readonly purpose: string | undefined;
  /** In milliseconds; default: the server's limit. */
  readonly timeout: number | undefined;
  /** The level to query; default: identified, since the caller can read the data directory anyway. */
  readonly level?: LevelName;
  /** Whether to ask for the query's plan instead of its answer. */
  readonly explain?: boolean | undefined;
}

export interface ServerAnswer {
  readonly mediaType: string;
  readonly isCut: boolean;
  readonly warnings: readonly string[];
  readonly body: Readable;
}

const RETRY_MS = 500;

/** Queries a server. @param tokenFile the token, or output of `token issue --analyst` @throws CommandError */
export async function askServer(
  server: string,
  tokenFile: string,
  { sparql, formats: wanted, timeout, explain }: ServerQuery,
): Promise<ServerAnswer> {
  const url = `${server.replace(/\/+$/u, '')}/sparql`;
  if (!isConfidential(url))
    throw new CommandError(
      `${server} is no https address: the token would go to another machine unencrypted.`,
    );
  const response = await fetch(explain ? `${url}?explain=true` : url, {
    method: 'POST',
    // The token is for this server alone.
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${tokenIn(readText(tokenFile), tokenFile)}`,
      Accept: acceptOf(wanted),
      'Content-Type': 'application/sparql-query',
    },
    body: sparql,
    ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
  }).catch((cause: unknown) => {
    const why = timeout !== undefined ? ` within ${timeout / 1000} s` : '';
    throw new CommandError(`${url} did not answer${why}; look whether it runs.`, { cause });
  });
  if (!response.ok) throw new CommandError(await detailOf(response));
  if (!response.body) throw new CommandError(`${url} gave no answer.`);
  return {
    mediaType: response.headers.get('Content-Type') ?? '',
    isCut: response.headers.get('Chartgraph-Truncated') === 'true',
    warnings: warningsIn(response.headers.get('Warning') ?? ''),
    body: Readable.from(response.body),
  };
}

/** Queries the server of a data directory once it is filled. @returns undefined without one @throws CommandError */
export async function askLocally(
  data: string,
  base: string | undefined,
  { timeout, purpose, ...query }: ServerQuery,
): Promise<ServerAnswer | undefined> {
  const found = await findAnalysts(data);
  if (!found || (base !== undefined && base !== found.base)) return undefined;
  const asked = {
    ...query,
    level: query.level ?? 'identified',
    user: userInfo().username,
    purpose: purpose ?? 'command line',
    isWhole: true,
  } as const;
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  for (;;) {
    try {
      const { head, body } = await analystClient(found.socket, found.base).query(asked, signal);
      const warnings = head.warnings.map(
        ({ line, column, message }) => `line ${line}, column ${column}: ${message}`,
      );
      return { mediaType: head.mediaType, isCut: head.isCut ?? false, warnings, body };
    } catch (error) {
      if (signal?.aborted) throw new CommandError(`The query was stopped after ${Number(timeout) / 1000} s.`);
      if (!(error instanceof Problem)) throw error;
      if (error.kind !== 'unavailable') throw new CommandError(error.message);
      // Waits for a level that is being filled, whether or not its progress is known.
      if (!error.isExpected) return undefined;
      await wait(RETRY_MS);
    }
  }
}

function acceptOf({ rows, graph }: AnswerFormats): string {
  const types = [rows && resultType(rows), graph && formats[graph].mediaType];
  return types.flatMap((type) => type?.replace(/;.*/u, '') ?? []).join(', ');
}

export function wantedFormats(
  named: ResultFormatName | RdfFormat | undefined,
  fallback: ResultFormatName,
): AnswerFormats {
  if (named === undefined) return { rows: fallback, graph: 'turtle' };
  return isResultFormat(named) ? { rows: named, graph: undefined } : { rows: undefined, graph: named };
}

export function isResultFormat(name: ResultFormatName | RdfFormat): name is ResultFormatName {
  return resultFormatNames.includes(name as ResultFormatName);
}

/** A bearer token (RFC 6750 §2.1). */
const BEARER = /^[\w.~+/-]+=*$/u;

function tokenIn(text: string, file: string): string {
  const token = memberOf(text, 'access_token') ?? text.trim();
  if (BEARER.test(token)) return token;
  throw new CommandError(`${file} holds no access_token; make one with chartgraph token issue --analyst.`);
}

/** Returns the text of a JSON object's member; undefined if either is missing. */
function memberOf(json: string, name: string): string | undefined {
  try {
    const found = (Object(JSON.parse(json)) as Record<string, unknown>)[name];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

async function detailOf(response: Response): Promise<string> {
  return (
    memberOf(await response.text(), 'detail') ??
    `The server answered ${response.status}; is it the base URL of a Chartgraph?`
  );
}

function warningsIn(field: string): string[] {
  return [...field.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/gu, '$1'),
  );
}
