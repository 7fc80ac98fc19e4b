import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { LoadedOntology } from '../../ontology/directory.js';
import { checkOntologyFolder, checkQueryFolder } from './check-model.js';
import { checkPath } from './check-paths.js';
import { paintOn } from '../colour.js';
import { CommandError, lineOf, UsageError } from '../errors.js';
import type { Finding } from './finding.js';
import { findingsText } from './findings-text.js';
import { complain, printJson, write } from '../output.js';
import { startProgress } from '../progress.js';
import { pageOf, ruleOf } from './rules.js';
import { baseUrlOf, readSettings, type Settings } from '../settings.js';

/** How findings are printed, by the name of the format. */
const formats = {
  text: (findings) => write(findingsText(findings, paintOn(process.stdout))),
  json: (problems) => printJson({ problems }),
  sarif: async (findings) => printJson((await import('./sarif.js')).sarifOf(findings)),
} as const satisfies Record<string, (findings: Finding[]) => Promise<void>>;

interface Options {
  json?: boolean;
  sarif?: boolean;
  format?: keyof typeof formats;
  shapes?: boolean;
  watch?: boolean;
}

/** `chartgraph validate`: ontology, queries and seed, or the given files and folders. */
export function define(command: Command): void {
  command
    .argument('[path...]', 'data, app manifests, or folders of them (default: ontology, queries and seed)')
    .option('--ontology <dir>', 'the ontology to check, or to check against')
    .option('--queries <dir>', 'the queries to check')
    .option('--seed <dir>', 'the seed to check')
    .addOption(
      new Option('--format <name>', 'how to print what was found')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--sarif', 'the same as --format sarif, for code-scanning tools')
    .option('--shapes', 'print the SHACL shapes derived from the ontology, and check nothing')
    .option('--watch', 'check again whenever a file changes, until Ctrl-C')
    .action(async (paths: string[], options: Options) => {
      const settings = readSettings(command.optsWithGlobals());
      if (options.shapes === true) return printShapesOf(settings);
      const format = formatOf(options);
      if (options.watch === true) return watch(paths, settings, format);
      const findings = await check(paths, settings);
      await formats[format](findings);
      if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
    });
}

function formatOf({ json, sarif, format = 'text' }: Options): keyof typeof formats {
  if (json === true && sarif === true) throw new UsageError('Either --json or --sarif, not both.');
  return json === true ? 'json' : sarif === true ? 'sarif' : format;
}

async function printShapesOf(settings: Settings): Promise<void> {
  const { loaded, findings } = await checkOntologyFolder(settings.ontology);
  if (!loaded) throw new CommandError(unreadable(findings));
  const { printShapes } = await import('./shapes.js');
  await printShapes(loaded.ontology);
}

async function watch(
  paths: readonly string[],
  settings: Settings,
  format: keyof typeof formats,
): Promise<void> {
  const { watchPaths } = await import('./watch.js');
  const watched = [settings.ontology, settings.queries, ...(paths.length > 0 ? paths : seedOf(settings))];
  await watchPaths(watched, async () => {
    if (process.stdout.isTTY && format === 'text') await write('\u001b[2J\u001b[H');
    // Half a file, or none for a moment, is what editing looks like: it ends nothing.
    await check(paths, settings).then(formats[format], (error: unknown) => complain(lineOf(error)));
    if (format === 'text') await write('Watching for changes; Ctrl-C ends.\n');
  });
}

async function check(paths: readonly string[], settings: Settings): Promise<Finding[]> {
  const { loaded, findings } = await checkOntologyFolder(settings.ontology);
  const base = baseUrlOf(settings);
  if (paths.length > 0) {
    if (!loaded) throw new CommandError(unreadable(findings));
    return explained(await checkAll(paths, { loaded, base }));
  }
  if (!loaded) return explained(findings);
  return explained([
    ...findings,
    ...(await checkQueryFolder(settings.queries, loaded)),
    ...(await checkAll(seedOf(settings), { loaded, base })),
  ]);
}

function seedOf({ seed }: Settings): string[] {
  return seed !== false && existsSync(seed) ? [seed] : [];
}

async function checkAll(
  paths: readonly string[],
  context: { loaded: LoadedOntology; base: string },
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

/** With the catalogue's hint, and the page where the rule is explained. */
function explained(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const rule = ruleOf(finding.rule);
    return rule ? { hint: rule.hint, ...finding, help: pageOf(rule.id) } : finding;
  });
}

function unreadable([finding]: readonly Finding[]): string {
  if (!finding) return 'The ontology cannot be read.';
  const { file, line, message } = finding;
  return `${file}${line === null ? '' : `:${line}`}: ${message}`;
}
