import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { formatNames, type RdfFormat } from '../rdf/formats.js';
import { prefixes } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import type { AnswerRow } from '../rdf/json-term.js';
import { queryInThread, type QueryAnswer } from '../store/query-thread.js';
import { requireData } from './open-data.js';
import { UsageError } from './command-errors.js';
import { askLocally, askServer, wantedFormats, type ServerAnswer } from './ask-server.js';
import { complain, printTable, write } from './output.js';
import { baseUrlOf, readSettings } from './settings.js';
import {
  resultFormats,
  solutionsText,
  type ResultFormatName,
  type Solutions,
} from '../analysts/result-formats.js';

const resultFormatNames = Object.keys(resultFormats) as ResultFormatName[];
type Format = RdfFormat | ResultFormatName;

interface QueryOptions {
  format?: Format | 'table';
  purpose?: string;
  timeout?: number;
  server?: string;
  token?: string;
  alone?: boolean;
}

/**
 * `chartgraph query`: SPARQL on a server that is named, else on the one that runs on the data directory, else on the data
 * directory alone.
 */
export function define(command: Command): void {
  command
    .argument('[file]', 'file with the query; - or nothing reads it from stdin', '-')
    .addOption(
      new Option(
        '--format <fmt>',
        'for SELECT and ASK table (default on a terminal), csv (default elsewhere), tsv, json or xml; for CONSTRUCT and DESCRIBE an RDF format (default turtle)',
      ).choices(['table', ...resultFormatNames, ...formatNames]),
    )
    .option('--server <url>', 'ask this server, with --token')
    .option('--token <file>', 'with --server: what token issue --analyst printed')
    .option(
      '--alone',
      'read the data directory without a server, however long it takes and however much it is',
    )
    .option('--purpose <text>', 'why, for the access log')
    .option('--timeout <seconds>', 'stop the query after this time', seconds)
    .action(async (file: string, options: QueryOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      const { server, token, format } = options;
      if ((server === undefined) !== (token === undefined))
        throw new UsageError('--server and --token go together: who asks a server proves it.');
      if (server === undefined) requireData(settings);
      const sparql = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
      const timeout = options.timeout === undefined ? undefined : options.timeout * 1000;
      const isTable = format === 'table' || (format === undefined && process.stdout.isTTY);
      const named = format === 'table' ? 'json' : format;
      const asked = {
        sparql,
        formats: wantedFormats(named, isTable ? 'json' : 'csv'),
        purpose: options.purpose,
        timeout,
      };
      const answered =
        server !== undefined && token !== undefined
          ? await askServer(server, token, asked)
          : options.alone
            ? undefined
            : await askLocally(settings.data, settings.baseUrl, asked);
      if (answered) return printAnswer(answered, isTable);
      const { data, store } = settings;
      const answer = await queryInThread({ data, store, base: baseUrlOf(settings), sparql, timeout });
      if (isTable && answer.kind !== 'graph') {
        return printRows(answer.kind === 'ask' ? solved(answer.answer) : answer);
      }
      return write(await written(answer, named));
    });
}

/** Prints an answer as it comes; a table when all of it is here, since its columns are as wide as their widest cell. */
export async function printAnswer(
  { body, isCut, warnings, mediaType }: ServerAnswer,
  isTable: boolean,
): Promise<void> {
  for (const warning of warnings) complain(`warning: ${warning}`);
  if (isCut && warnings.length === 0)
    complain('warning: the answer is cut; add LIMIT and OFFSET, or filter.');
  if (isTable && mediaType.startsWith(resultFormats.json.mediaType)) {
    const { head, results, boolean } = JSON.parse(await text(body)) as {
      head: { vars?: string[] };
      results?: { bindings: AnswerRow[] };
      boolean?: boolean;
    };
    return printRows(
      boolean === undefined ? { variables: head.vars ?? [], rows: results?.bindings ?? [] } : solved(boolean),
    );
  }
  const decoder = new TextDecoder();
  for await (const chunk of body) await write(decoder.decode(chunk as Uint8Array, { stream: true }));
}

const solved = (answer: boolean): Solutions => ({
  variables: ['answer'],
  rows: [{ answer: { type: 'literal', value: String(answer) } }],
});

function printRows({ variables, rows }: Solutions): Promise<void> {
  return printTable(
    [...variables],
    rows.map((row) => variables.map((name) => row[name]?.value ?? '')),
  );
}

function seconds(given: string): number {
  const number = Number(given);
  // Node's timers hold 31 bits of milliseconds.
  if (number > 0 && number <= 2_000_000) return number;
  throw new UsageError(`--timeout must be a number of seconds above 0, not ${JSON.stringify(given)}.`);
}

async function written(answer: QueryAnswer, format: Format | undefined): Promise<string> {
  if (answer.kind === 'graph') {
    const chosen = format ?? 'turtle';
    if (isResultFormat(chosen)) throw wrongFormat(chosen, 'CONSTRUCT and DESCRIBE', formatNames);
    return writeRdf(answer.quads, chosen, { prefixes });
  }
  const chosen = format ?? 'csv';
  if (!isResultFormat(chosen)) throw wrongFormat(chosen, 'SELECT and ASK', resultFormatNames);
  return answer.kind === 'ask' ? resultFormats[chosen].ask(answer.answer) : solutionsText(chosen, answer);
}

function isResultFormat(format: Format): format is ResultFormatName {
  return Object.hasOwn(resultFormats, format);
}

function wrongFormat(format: Format, forms: string, allowed: readonly string[]): UsageError {
  return new UsageError(
    `${format} cannot carry the answer to this query; ${forms} take ${allowed.join(', ')}.`,
  );
}
