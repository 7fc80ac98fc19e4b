import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { mappingFolders, readMapping } from '../../fhir/mapping.js';
import { loadOntology } from '../../model/ontology/directory.js';
import { loadQueries } from '../../model/query/load-queries.js';
import { printPlan } from '../../model/query/read-plan.js';
import { checkOntologyFolder, checkQueryFolder } from './check-model.js';
import { checkPath, type CheckContext } from './check-paths.js';
import { paintOn, complain, printJson, write, inProgress } from '../output.js';
import { lineOf, UsageError } from '../command-errors.js';
import { recordId } from '../argument-values.js';
import { findingsText, type Diagnostic } from './diagnostic.js';
import { shipped } from '../package.js';
import { pageOf, ruleOf } from './all-rules.js';
import { baseUrlOf, readSettings, type Settings } from '../read-settings.js';

const formats = {
  text: (diagnostics) => write(findingsText(explained(diagnostics), paintOn(process.stdout))),
  json: (diagnostics) => printJson({ problems: explained(diagnostics) }),
  sarif: async (diagnostics) => printJson((await import('./sarif.js')).sarifOf(diagnostics)),
} as const satisfies Record<string, (diagnostics: Diagnostic[]) => Promise<void>>;

interface Options {
  record?: string;
  json?: boolean;
  sarif?: boolean;
  format?: keyof typeof formats;
  shapes?: boolean;
  plans?: boolean;
  watch?: boolean;
}

/** `chartgraph validate`: checks ontology, queries and seed, or the given files and folders. */
export function define(command: Command): void {
  command
    .argument('[path...]', 'data, app manifests, or folders of them (default: ontology, queries and seed)')
    .option('--ontology <dir>', 'the ontology to check, or to check against')
    .option('--queries <dir>', 'the queries to check')
    .option('--seed <dir>', 'the seed to check')
    .option(
      '--record <id>',
      'the record that the data is about (default: the id in the file or the digits of its name)',
      recordId,
    )
    .addOption(
      new Option('--format <name>', 'how to print what was found')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--sarif', 'the same as --format sarif, for code-scanning tools')
    .option('--shapes', 'print the SHACL shapes derived from the ontology, and check nothing')
    .option(
      '--plans',
      'print in a line each how the answers of queries are read and of which lists of FHIR the first counts, and check nothing else',
    )
    .option('--watch', 'check again whenever a file changes, until Ctrl-C')
    .action(async (paths: string[], options: Options) => {
      const settings = readSettings(command.optsWithGlobals());
      if (options.shapes === true) return printShapesOf(settings);
      if (options.plans === true) return printPlansOf(settings);
      const format = formatOf(options);
      const asked = { paths, record: options.record };
      if (options.watch === true) return watch(asked, settings, format);
      const diagnostics = await check(asked, settings);
      await formats[format](diagnostics);
      if (diagnostics.some(({ severity }) => severity === 'error')) process.exitCode = 1;
    });
}

function formatOf({ json, sarif, format = 'text' }: Options): keyof typeof formats {
  if (json === true && sarif === true) throw new UsageError('Either --json or --sarif, not both.');
  return json === true ? 'json' : sarif === true ? 'sarif' : format;
}

async function printShapesOf(settings: Settings): Promise<void> {
  const loaded = await loadOntology(settings.ontology);
  const { shapesText } = await import('../../model/validate/shapes/derive-shapes.js');
  await write(shapesText(loaded.ontology));
}

async function printPlansOf(settings: Settings): Promise<void> {
  const { ontology } = await loadOntology(settings.ontology);
  for (const [name, { plan }] of await loadQueries(settings.queries, ontology))
    await write(`${name}: ${printPlan(plan)}\n`);
  const folders = mappingFolders(settings.queries);
  if (!folders.some((folder) => existsSync(folder))) return;
  for (const { name, read } of (await readMapping(folders, ontology)).queries) {
    const firsts = [...read.types.values()].flatMap((element) => element.firsts());
    if (firsts.length > 0) await write(`${name} takes the first of ${firsts.join(', ')}\n`);
  }
}

interface Asked {
  readonly paths: readonly string[];
  readonly record: string | undefined;
}

async function watch(asked: Asked, settings: Settings, format: keyof typeof formats): Promise<void> {
  const { watchPaths } = await import('./watch.js');
  const data = asked.paths.length > 0 ? asked.paths : seedOf(settings);
  const watched = [settings.ontology, settings.queries, data].flat();
  await watchPaths(watched, async () => {
    if (process.stdout.isTTY && format === 'text') await write('\u001b[2J\u001b[H');
    // A file being edited may be incomplete or missing for a moment, which must not end the watch.
    await check(asked, settings).then(formats[format], (error: unknown) => complain(lineOf(error)));
    if (format === 'text') await write('Watching for changes; Ctrl-C ends.\n');
  });
}

async function check({ paths, record }: Asked, settings: Settings): Promise<Diagnostic[]> {
  const base = baseUrlOf(settings);
  // The check of the ontology itself reports its problems.
  if (paths.length > 0)
    return checkAll(paths, { loaded: await loadOntology(settings.ontology), base, record });
  const { loaded, diagnostics } = await checkOntologyFolder(settings.ontology);
  if (!loaded) return diagnostics;
  return [
    ...diagnostics,
    ...(await checkQueryFolder(settings.queries, loaded)),
    ...(await checkAll(seedOf(settings), { loaded, base })),
  ];
}

/** A named seed must exist; the shipped one may have been removed from a serving container. */
function seedOf({ seed }: Settings): string[] {
  return seed !== false && (seed !== shipped('seed') || existsSync(seed)) ? [seed] : [];
}

async function checkAll(paths: readonly string[], context: CheckContext): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for await (const path of inProgress('Checking', paths))
    diagnostics.push(...(await checkPath(path, context)));
  return diagnostics;
}

/** Adds the catalogue's hint, and the page that explains the rule. */
function explained(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const rule = ruleOf(diagnostic.rule);
    return rule ? { hint: rule.hint, ...diagnostic, help: pageOf(rule.id) } : diagnostic;
  });
}
