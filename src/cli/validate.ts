import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { checkOntologyFolder, checkQueryFolder } from './check-model.js';
import { checkPath } from './check-paths.js';
import { CommandError, lineOf } from './errors.js';
import type { Finding } from './finding.js';
import { complain, count, print, printJson } from './output.js';
import { startProgress } from './progress.js';
import { baseUrlOf, readSettings, type Settings } from './settings.js';

/** `chartgraph validate`: ontology, queries and seed, or the given files and folders. */
export function define(command: Command): void {
  command
    .argument('[path...]', 'data, app manifests, or folders of them (default: ontology, queries and seed)')
    .option('--ontology <dir>', 'the ontology to check, or to check against')
    .option('--queries <dir>', 'the queries to check')
    .option('--seed <dir>', 'the seed to check')
    .option('--json', 'print what was found as JSON')
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      const problems = await check(paths, readSettings(command.optsWithGlobals()));
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      if (json) await printJson({ problems });
      else {
        for (const problem of problems) complain(lineFor(problem));
        const warnings = problems.length - errors;
        await print(
          problems.length === 0
            ? 'No problems.'
            : `${count(errors, 'error')}, ${count(warnings, 'warning')}.`,
        );
      }
      if (errors > 0) process.exitCode = 1;
    });
}

async function check(paths: readonly string[], settings: Settings): Promise<Finding[]> {
  const model = await checkOntologyFolder(settings.ontology);
  const { ontology } = model;
  if (paths.length > 0) {
    if (!ontology) throw new CommandError(lineFor(model.findings[0]));
    return checkAll(paths, { ontology, base: baseUrlOf(settings) });
  }
  if (!ontology) return model.findings;
  const seed = settings.seed !== false && existsSync(settings.seed) ? [settings.seed] : [];
  return [
    ...model.findings,
    ...(await checkQueryFolder(settings.queries, ontology)),
    ...(await checkAll(seed, { ontology, base: baseUrlOf(settings) })),
  ];
}

async function checkAll(
  paths: readonly string[],
  context: Parameters<typeof checkPath>[1],
): Promise<Finding[]> {
  const progress = await startProgress('Checking', paths.length);
  const findings: Finding[] = [];
  try {
    for (const [done, path] of paths.entries()) {
      progress.at(done);
      findings.push(...(await checkPath(path, context)));
    }
  } finally {
    progress.stop();
  }
  return findings;
}

function lineFor(finding: Finding | undefined): string {
  if (!finding) return 'The ontology cannot be read.';
  const { file, line, severity, rule, message } = finding;
  return lineOf(`${severity}: ${file}${line === null ? '' : `:${line}`}: ${message} (${rule})`);
}
