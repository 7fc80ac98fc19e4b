import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { formatNames, type RdfFormat } from '../rdf/formats.js';
import { prefixes } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import { queryInThread, type QueryAnswer } from '../store/query-thread.js';
import { requireData } from './open-data.js';
import { UsageError } from './command-errors.js';
import { write } from './output.js';
import { baseUrlOf, readSettings } from './settings.js';
import { resultFormats, solutionsText, type ResultFormatName } from '../analysts/result-formats.js';

const resultFormatNames = Object.keys(resultFormats) as ResultFormatName[];
type Format = RdfFormat | ResultFormatName;

/** `chartgraph query`: SPARQL over the data directory; its default graph is the union of all graphs of records. */
export function define(command: Command): void {
  command
    .argument('[file]', 'file with the query; - or nothing reads it from stdin', '-')
    .addOption(
      new Option(
        '--format <fmt>',
        'for SELECT and ASK json, csv (default), tsv or xml; for CONSTRUCT and DESCRIBE an RDF format (default turtle)',
      ).choices([...resultFormatNames, ...formatNames]),
    )
    .option('--purpose <text>', 'why, for the access log')
    .option('--timeout <seconds>', 'stop the query after this time', seconds)
    .action(async (file: string, { format, timeout }: { format?: Format; timeout?: number }) => {
      const settings = readSettings(command.optsWithGlobals());
      requireData(settings);
      const sparql = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
      const answer = await queryInThread({
        data: settings.data,
        store: settings.store,
        base: baseUrlOf(settings),
        sparql,
        timeout: timeout === undefined ? undefined : timeout * 1000,
      });
      await write(await written(answer, format));
    });
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
