import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { checkDocuments, type CheckedResource } from '../fhir/endpoint/reading/input-documents.js';
import { mustBeUnderstood } from '../fhir/endpoint/endpoint-problem.js';
import { lineOf } from './command-errors.js';
import { complain, count, print, write } from './output.js';

interface ValidateOptions {
  json?: boolean;
  allow: string[];
}

export function define(command: Command): void {
  command
    .command('validate')
    .description('check FHIR R4 Endpoint resources in JSON')
    .argument('<file...>', 'an endpoint, a Bundle or NDJSON, also gzip; - reads stdin')
    .option('--json', 'print what was found as JSON')
    .option(
      '--allow <what>',
      'no warning for this: the URI of implicit rules or of a modifier extension, or the name of a rule that warns, for all of its warnings (repeatable)',
      (given: string, before: string[]) => [...before, given],
      [],
    )
    .addHelpText(
      'after',
      '\nOther resources in a Bundle or in NDJSON are skipped. Exits 1 on any error, and on what must be understood\n(implicit-rules, modifier-extension) until --allow says that it is; other warnings leave the exit code alone.',
    )
    .action(async (files: string[], { json = false, allow }: ValidateOptions) => {
      const printer = json ? jsonPrinter() : textPrinter;
      const found = { endpoints: 0, skipped: 0, errors: 0, warnings: 0 };
      for (const file of files) {
        for await (const { place, problem } of checkFile(file, allow, found)) {
          found[problem.severity === 'error' ? 'errors' : 'warnings']++;
          if (problem.severity === 'error' || mustBeUnderstood.has(problem.rule)) process.exitCode = 1;
          await printer.tell(file, place, problem);
        }
      }
      await printer.end(found);
    });
}

interface Found {
  endpoints: number;
  skipped: number;
  errors: number;
  warnings: number;
}

/** Yields the problems of a file, and counts its resources. */
async function* checkFile(
  file: string,
  allow: readonly string[],
  found: Found,
): AsyncGenerator<{ place: Place; problem: Problem }> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const ndjson = /\.(?:ndjson|jsonl)(?:\.gz)?$/iu.test(file);
  const before = found.endpoints;
  try {
    for await (const resource of checkDocuments(input as AsyncIterable<Buffer>, { allow, ndjson })) {
      found[resource.skipped ? 'skipped' : 'endpoints']++;
      for (const problem of resource.problems) yield { place: resource, problem };
    }
    // A file without endpoints is probably the wrong one, and must not pass.
    if (found.endpoints === before)
      yield { place: WHOLE, problem: error('no-endpoint', 'There is no Endpoint in it.') };
  } catch (thrown) {
    yield { place: WHOLE, problem: error('unreadable', lineOf(thrown)) };
  }
}

/** The place of a problem that belongs to no single resource. */
const WHOLE: Place = { index: 0, kind: 'document' };

function error(rule: Problem['rule'], message: string): Problem {
  return { pointer: '', rule, severity: 'error', message };
}

type Problem = CheckedResource['problems'][number];
type Place = Pick<CheckedResource, 'index' | 'kind'>;

/** Prints problems as they are found: a list of them could exceed memory. */
interface Printer {
  tell(file: string, place: Place, problem: Problem): Promise<void> | void;
  end(found: Found): Promise<void>;
}

const textPrinter: Printer = {
  tell(file, { kind, index }, { severity, pointer, message, rule }) {
    const place = { document: '', line: `:${index + 1}`, entry: `[${index}]` }[kind];
    const at = pointer === '' ? '' : ` ${shortened(pointer)}:`;
    complain(lineOf(`${severity}: ${file}${place}:${at} ${message} (${rule})`));
  },
  end({ endpoints, skipped, errors, warnings }) {
    const others = skipped === 0 ? '' : `, ${count(skipped, 'other resource')} skipped`;
    const found =
      errors + warnings === 0 ? 'no problems' : `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
    return print(`${count(endpoints, 'endpoint')} checked${others}: ${found}.`);
  },
};

function shortened(pointer: string): string {
  return pointer.length > 200 ? `${pointer.slice(0, 199)}…` : pointer;
}

const PIECE = 65_536;

function jsonPrinter(): Printer {
  let text = '{"problems":[';
  let isFirst = true;
  return {
    async tell(file, { index }, { pointer, rule, severity, message }) {
      text += (isFirst ? '\n' : ',\n') + JSON.stringify({ file, index, pointer, rule, severity, message });
      isFirst = false;
      if (text.length < PIECE) return;
      await write(text);
      text = '';
    },
    end: () => print(`${text}${isFirst ? '' : '\n'}]}`),
  };
}
