import { existsSync } from 'node:fs';
import { json, text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { formatNames, type RdfFormat } from '../rdf/formats.js';
import { writeRdf } from '../rdf/write.js';
import type { AnswerRow } from '../rdf/json-term.js';
import { dateProperties } from '../analysts/date-nodes.js';
import type { QueryPlan } from '../analysts/query-plan.js';
import { queryInThread, type QueryAnswer } from '../analysts/query-thread.js';
import { loadOntology, type Folders } from '../model/ontology/directory.js';
import { baseOf, requireData } from './open-data.js';
import { CommandError, UsageError } from './command-errors.js';
import { askLocally, askServer, isResultFormat, wantedFormats, type ServerAnswer } from './ask-server.js';
import { complain, print, printJson, printTable, write } from './output.js';
import { readText } from './argument-values.js';
import { readSettings } from './read-settings.js';
import type { Prefixes } from '../model/ontology/term-names.js';
import { servedPrefixes } from '../http/layer-folders.js';
import { withPrefixes } from '../analysts/prepare-query.js';
import { parquetFile } from '../analysts/parquet-file.js';
import {
  resultFormatNames,
  resultFormats,
  solutionsText,
  textFormatNames,
  type ResultFormatName,
  type Solutions,
} from '../analysts/result-formats.js';

type Format = RdfFormat | ResultFormatName;

interface QueryOptions {
  format?: Format | 'table';
  purpose?: string;
  timeout?: number;
  server?: string;
  token?: string;
  alone?: boolean;
  explain?: boolean;
}

/** `chartgraph query`: runs SPARQL on a server, else on that of the data directory, else on the directory. */
export function define(command: Command): void {
  command
    .argument('[file]', 'file with the query; - or nothing reads it from stdin', '-')
    .addOption(
      new Option(
        '--format <fmt>',
        'for SELECT and ASK table (default on a terminal), csv (default elsewhere), tsv, json or xml, for SELECT also parquet; for CONSTRUCT and DESCRIBE an RDF format (default turtle)',
      ).choices(['table', ...resultFormatNames, ...formatNames]),
    )
    .option('--server <url>', 'ask this server, with --token')
    .option('--token <file>', 'with --server: what token issue --analyst printed')
    .option(
      '--alone',
      'read the data directory without a server, however long it takes and however much it is',
    )
    .option(
      '--explain',
      'show the query as it is run, and its steps, in the place of the answer; as a table, or as json',
    )
    .option('--ontology <dir>', 'with --alone: the ontology of the data instead of the shipped one')
    .option('--purpose <text>', 'why, for the access log')
    .option('--timeout <seconds>', 'stop the query after this time', seconds)
    .action(async (file: string, options: QueryOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      const { server, token, format } = options;
      if ((server === undefined) !== (token === undefined))
        throw new UsageError('--server and --token go together: who asks a server proves it.');
      refuseOnTerminal(format);
      if (options.explain) refuseToExplain(options);
      refuseText(file);
      if (server === undefined) requireData(settings);
      const sparql = await (file === '-' ? text(process.stdin) : readText(file));
      const timeout = options.timeout === undefined ? undefined : options.timeout * 1000;
      const isTable = format === 'table' || (format === undefined && process.stdout.isTTY);
      const named = format === 'table' ? 'json' : format;
      const asked = {
        sparql,
        formats: wantedFormats(named, isTable || options.explain ? 'json' : 'csv'),
        purpose: options.purpose,
        timeout,
        explain: options.explain,
      };
      const answered =
        server !== undefined && token !== undefined
          ? await askServer(server, token, asked)
          : options.alone
            ? undefined
            : await askLocally(settings.data, settings.baseUrl, asked);
      if (options.explain) {
        if (answered) return printPlan(answered, format !== 'json');
        throw new CommandError(
          '--explain asks a running server, and none answers here; start it, or name one.',
        );
      }
      if (answered) return printAnswer(answered, isTable);
      const { data, store } = settings;
      const prefixes = servedPrefixes(data);
      const prefixed = withPrefixes(sparql, prefixes);
      const answer = await queryInThread({
        data,
        store,
        base: await baseOf(settings),
        sparql: prefixed,
        dates: await datesFor(prefixed, settings.ontology),
        timeout,
      });
      if (isTable && answer.kind !== 'graph') {
        return printRows(answer.kind === 'ask' ? solved(answer.answer) : answer);
      }
      for await (const part of written(answer, named, prefixes)) await write(part);
    });
}

/** Returns the date properties if the query asks for their instants, which are expensive. */
async function datesFor(sparql: string, folders: Folders): Promise<readonly string[] | undefined> {
  if (!/\b(?:earliest|latest)\b/u.test(sparql)) return undefined;
  const { ontology } = await loadOntology(folders);
  return [...dateProperties(ontology)];
}

/** @throws UsageError for a binary format on a terminal */
export function refuseOnTerminal(format: Format | 'table' | undefined): void {
  if (format === 'parquet' && process.stdout.isTTY)
    throw new UsageError('Parquet is no text; send it to a file, as with > rows.parquet.');
}

function refuseText(file: string): void {
  if (/[\s{]/.test(file) && !existsSync(file))
    throw new UsageError(
      "A query is read from a file or from stdin, as with echo 'ASK {}' | chartgraph query.",
    );
}

function refuseToExplain({ alone, format = 'table' }: QueryOptions): void {
  if (alone) throw new UsageError('--explain asks a running server; leave --alone out.');
  if (format !== 'table' && format !== 'json')
    throw new UsageError(`An explanation is a table or json, not ${format}.`);
}

/** Prints an answer as it arrives; a table once complete, since its columns fit the widest cell. */
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
  for await (const chunk of body) await write(chunk as Uint8Array);
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

async function* written(
  answer: QueryAnswer,
  format: Format | undefined,
  prefixes: Prefixes,
): AsyncGenerator<string | Uint8Array> {
  if (answer.kind === 'graph') {
    const chosen = format ?? 'turtle';
    if (isResultFormat(chosen)) throw wrongFormat(chosen, 'CONSTRUCT and DESCRIBE take', formatNames);
    yield await writeRdf(answer.quads, chosen, { prefixes });
    return;
  }
  const chosen = format ?? 'csv';
  if (answer.kind === 'ask') {
    if (!isResultFormat(chosen) || chosen === 'parquet')
      throw wrongFormat(chosen, 'ASK takes', textFormatNames);
    yield resultFormats[chosen].ask(answer.answer);
    return;
  }
  if (!isResultFormat(chosen)) throw wrongFormat(chosen, 'SELECT takes', resultFormatNames);
  if (chosen === 'parquet' && answer.variables.length === 0)
    throw wrongFormat(chosen, 'SELECT without variables takes', textFormatNames);
  if (chosen === 'parquet') yield* parquetFile(answer.variables, () => answer.rows);
  else yield solutionsText(chosen, answer);
}

function wrongFormat(format: Format, forms: string, allowed: readonly string[]): UsageError {
  return new UsageError(`${format} cannot carry the answer to this query; ${forms} ${allowed.join(', ')}.`);
}

async function printPlan({ body, warnings }: ServerAnswer, isTable: boolean): Promise<void> {
  for (const warning of warnings) complain(`warning: ${warning}`);
  const plan = (await json(body)) as QueryPlan;
  if (!isTable) return printJson(plan);
  await print(`${plan.query.trim()}\n`);
  const cells = plan.steps.map((step) => [step.number, step.operation, step.text, String(step.line ?? '')]);
  await printTable(['Step', 'Operation', 'In the query', 'Line'], cells);
}
