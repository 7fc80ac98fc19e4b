import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { checkCall, TestFailure } from '../../authoring/call-tests/check-answer.js';
import { deriveSuite } from '../../authoring/call-tests/derive-suite.js';
import { suiteFiles } from '../../authoring/call-tests/suite-files.js';
import type { Suite } from '../../authoring/call-tests/suite.js';
import { loadOntology } from '../../model/ontology/directory.js';
import type { ServedModel } from '../../authoring/trial/trial-answers.js';
import { CommandError, UsageError } from '../command-errors.js';
import { complain, count, print, visible, inProgress } from '../output.js';
import { describedBy, withQueries } from './served-model.js';
import { baseUrlOf, readSettings, type Settings } from '../read-settings.js';

interface TestsOptions {
  call?: string[];
  run?: boolean;
}

/** `chartgraph ontology tests`: writes tests for every call, derived from ontology and seed; exit 1 when one fails. */
export function define(command: Command): void {
  command
    .argument('<dir>', 'folder for the suite; created if it does not exist')
    .option('--ontology <dir>', 'the ontology (default: the shipped one)')
    .option('--queries <dir>', 'the queries that answer its calls (default: the shipped ones)')
    .option('--seed <dir>', 'the data that the answers are derived from (default: the shipped seed)')
    .option('--call <name...>', 'test these calls alone')
    .option('--run', 'start a container over the seed, with data of its own, and run the suite against it')
    .action(async (dir: string, { call, run }: TestsOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      if (settings.seed === false)
        throw new UsageError('Tests are derived from a seed: name its folder with --seed.');
      const model = await withQueries(await loadOntology(settings.ontology), settings.queries);
      refuseFaulty(model, call);
      const { seed } = settings;
      const suite = await deriveSuite({
        model,
        seed,
        base: baseUrlOf(settings),
        container: describedBy(settings),
        ...(call === undefined ? {} : { calls: call }),
      });
      await mkdir(dir, { recursive: true });
      for (const [file, text] of suiteFiles(suite)) await writeFile(join(dir, file), text);
      for (const note of suite.notes) complain(`note: ${visible(note)}`);
      await print(`Wrote ${count(suite.tests.length, 'test')} to ${dir}; begin with README.md.`);
      if (run) await runSuite(suite, settings, seed);
    });
}

/** @throws CommandError for an unusable query, UsageError for an unknown call */
function refuseFaulty({ faults, ontology }: ServedModel, calls: readonly string[] = []): void {
  const unknown = calls.find((name) => !ontology.callByName.has(name));
  if (unknown !== undefined)
    throw new UsageError(`No call of the ontology is named ${JSON.stringify(unknown)}.`);
  const [fault] = faults;
  if (fault)
    throw new CommandError(`The query of ${fault[0]} cannot be used: ${fault[1]}; see chartgraph validate.`);
}

async function runSuite(suite: Suite, settings: Settings, seed: string): Promise<void> {
  const { startScratchContainer } = await import('./scratch-container.js');
  const { ontology, queries } = settings;
  const container = await startScratchContainer(suite, {
    ...describedBy(settings),
    ontology,
    queries,
    seed,
    containerAccess: 'open',
    logLevel: 'silent',
  });
  const failures: string[] = [];
  try {
    for await (const test of inProgress('Testing', suite.tests)) {
      await checkCall(suite, test, container).catch((error: unknown) => {
        if (!(error instanceof TestFailure)) throw error;
        failures.push(`${test.call} ${test.says}: ${error.message}\n  ${test.method} ${test.target}`);
      });
    }
  } finally {
    await container.close();
  }
  for (const failure of failures) complain(failure.split('\n').map(visible).join('\n'));
  await print(`${suite.tests.length - failures.length} of ${count(suite.tests.length, 'test')} passed.`);
  if (failures.length > 0) process.exitCode = 1;
}
