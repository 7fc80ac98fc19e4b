import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { checkDocuments, type CheckedResource } from '../endpoint/reading/check-documents.js';
import { mustBeUnderstood } from '../endpoint/endpoint-problem.js';
import { lineOf } from './command-errors.js';
import { complain, count, print, write } from './output.js';

interface ValidateOptions {
  json?: boolean;
  allow: string[];
}

/** `chartgraph endpoint validate`. */
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
      const report = json ? new JsonReport() : new TextReport();
      for (const file of files) await checkFile(file, allow, report);
      await report.end();
      if (report.refused) process.exitCode = 1;
    });
}

async function checkFile(file: string, allow: readonly string[], report: Report): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const ndjson = /\.(?:ndjson|jsonl)(?:\.gz)?$/iu.test(file);
  const before = report.endpoints;
  try {
    for await (const resource of checkDocuments(input as AsyncIterable<Buffer>, { allow, ndjson })) {
      await report.add(file, resource);
    }
    // Whoever checks a file expects endpoints in it: a wrong file must not pass for a good one.
    if (report.endpoints === before)
      await report.found(file, WHOLE, error('no-endpoint', 'There is no Endpoint in it.'));
  } catch (thrown) {
    await report.found(file, WHOLE, error('unreadable', lineOf(thrown)));
  }
}

/** Where a problem stands that is of no one resource. */
const WHOLE: Place = { index: 0, kind: 'document' };

function error(rule: Problem['rule'], message: string): Problem {
  return { pointer: '', rule, severity: 'error', message };
}

/** Tells what is found as it is found: a list of problems can be longer than memory. */
abstract class Report {
  endpoints = 0;
  skipped = 0;
  errors = 0;
  warnings = 0;
  /** Whether something was found that is wrong, or must be understood before an endpoint is used. */
  refused = false;

  async add(file: string, resource: CheckedResource): Promise<void> {
    if (resource.skipped) this.skipped++;
    else this.endpoints++;
    for (const problem of resource.problems) await this.found(file, resource, problem);
  }

  async found(file: string, place: Place, problem: Problem): Promise<void> {
    if (problem.severity === 'error') this.errors++;
    else this.warnings++;
    this.refused ||= problem.severity === 'error' || mustBeUnderstood.has(problem.rule);
    await this.tell(file, place, problem);
  }

  protected abstract tell(file: string, place: Place, problem: Problem): Promise<void> | void;
  abstract end(): Promise<void>;
}

type Problem = CheckedResource['problems'][number];
type Place = Pick<CheckedResource, 'index' | 'kind'>;

class TextReport extends Report {
  protected override tell(file: string, { kind, index }: Place, problem: Problem): void {
    const { severity, pointer, message, rule } = problem;
    const place = { document: '', line: `:${index + 1}`, entry: `[${index}]` }[kind];
    const at = pointer === '' ? '' : ` ${shortened(pointer)}:`;
    complain(lineOf(`${severity}: ${file}${place}:${at} ${message} (${rule})`));
  }

  override async end(): Promise<void> {
    const others = this.skipped === 0 ? '' : `, ${count(this.skipped, 'other resource')} skipped`;
    const found =
      this.errors + this.warnings === 0
        ? 'no problems'
        : `${count(this.errors, 'error')}, ${count(this.warnings, 'warning')}`;
    await print(`${count(this.endpoints, 'endpoint')} checked${others}: ${found}.`);
  }
}

function shortened(pointer: string): string {
  return pointer.length > 200 ? `${pointer.slice(0, 199)}…` : pointer;
}

/** Characters that are handed to stdout at once. */
const PIECE = 65_536;

class JsonReport extends Report {
  #text = '{"problems":[';
  #first = true;

  protected override async tell(file: string, { index }: Place, problem: Problem): Promise<void> {
    const { pointer, rule, severity, message } = problem;
    this.#text +=
      (this.#first ? '\n' : ',\n') + JSON.stringify({ file, index, pointer, rule, severity, message });
    this.#first = false;
    if (this.#text.length < PIECE) return;
    await write(this.#text);
    this.#text = '';
  }

  override async end(): Promise<void> {
    await print(`${this.#text}${this.#first ? '' : '\n'}]}`);
  }
}
