import type { Readable } from 'node:stream';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AnalysisValueError, type Analysis } from '../analysts/analyses/analysis.js';
import { bindAnalysis } from '../analysts/analyses/bind-analysis.js';
import { loadAnalyses } from '../analysts/analyses/load-analyses.js';
import { Analysts } from '../analysts/analysts.js';
import { deidentifier } from '../analysts/deidentify.js';
import { identified, levels, type LevelName } from '../analysts/levels.js';
import { pseudonymKey } from '../analysts/pseudonyms.js';
import { resultFormats, type ResultFormatName } from '../analysts/result-formats.js';
import { loadOntology } from '../ontology/directory.js';
import type { Ontology } from '../ontology/model.js';
import { memoryShare, quadsIn } from '../store/capacity.js';
import { CommandError, UsageError } from './command-errors.js';
import { requireData, withData, type OpenData } from './open-data.js';
import { printJson, printTable, write } from './output.js';
import { readSettings, type Settings } from './settings.js';

type Given = readonly (readonly [name: string, value: string])[];

interface RunOptions {
  readonly param: Given;
  readonly format: ResultFormatName;
  readonly level: LevelName;
}

/** `chartgraph analyses list` and `analyses run`: the questions that a container knows how to answer. */
export function define(command: Command): void {
  command
    .command('list')
    .description('list the analyses with their parameters')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const { analyses } = await readAll(readSettings(list.optsWithGlobals()));
      const all = [...analyses.values()];
      if (json) return printJson(all.map(asJson));
      return printTable(
        ['name', 'title', 'parameters'],
        all.map(({ name, title, parameters }) => [
          name,
          title,
          parameters.map((each) => each.name).join(' '),
        ]),
      );
    });

  command
    .command('run')
    .description('answer an analysis over the data directory')
    .argument('<name>', 'as analyses list shows it')
    .option('--param <name=value>', 'a parameter; give it once for each', parameter, [])
    .addOption(
      new Option('--format <fmt>', 'how rows are written').choices(Object.keys(resultFormats)).default('csv'),
    )
    .addOption(
      new Option('--level <level>', 'what is seen of people').choices([...levels]).default(levels[0]),
    )
    .option('--purpose <text>', 'why, for the access log')
    .action(async (name: string, options: RunOptions, run: Command) => {
      const settings = readSettings(run.optsWithGlobals());
      requireData(settings);
      const { analyses, ontology } = await readAll(settings);
      const analysis = analyses.get(name);
      if (!analysis)
        throw new CommandError(`There is no analysis ${JSON.stringify(name)}; analyses list shows them all.`);
      const sparql = boundTo(analysis, options.param);
      await withData(settings, (open) => answer(open, ontology, sparql, options));
    });
}

async function readAll(
  settings: Settings,
): Promise<{ analyses: ReadonlyMap<string, Analysis>; ontology: Ontology }> {
  const { ontology } = await loadOntology(settings.ontology);
  return { ontology, analyses: await loadAnalyses(settings.queries, ontology) };
}

function asJson({ name, title, description, parameters }: Analysis): object {
  return {
    name,
    title,
    description,
    parameters: parameters.map((each) => ({
      name: each.name,
      type: each.type,
      description: each.comment,
      default: each.standard ?? null,
      ...(each.choices.length > 0 && { choices: each.choices }),
    })),
  };
}

function parameter(text: string, before: Given): Given {
  const border = text.indexOf('=');
  if (border < 1) throw new InvalidArgumentError('Write a parameter as name=value.');
  return [...before, [text.slice(0, border), text.slice(border + 1)]];
}

function boundTo(analysis: Analysis, given: Given): string {
  try {
    return bindAnalysis(analysis, given);
  } catch (error) {
    throw error instanceof AnalysisValueError ? new UsageError(error.message) : error;
  }
}

/** Brings the level to memory and asks. */
async function answer(
  { primary, base, directory }: OpenData,
  ontology: Ontology,
  sparql: string,
  { level, format }: RunOptions,
): Promise<void> {
  const deidentified = deidentifier({
    ontology,
    base,
    key: pseudonymKey(directory.accountKey),
    readGraph: (graph) => primary.graph(graph) ?? [],
  });
  const views = { deidentified, identified };
  const analysts = new Analysts({ primary, ontology, views, planned: quadsIn(memoryShare()) });
  try {
    await analysts.fill(level);
    const query = { sparql, level, user: '', purpose: '', formats: { rows: format, graph: undefined } };
    const answered = await analysts.answer(query, new AbortController().signal);
    if ('failure' in answered) throw new CommandError(answered.failure.message);
    await writeAll(answered.body);
  } finally {
    await analysts.close();
  }
}

async function writeAll(body: Readable): Promise<void> {
  for await (const chunk of body) await write(String(chunk));
}
