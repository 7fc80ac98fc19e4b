import { InvalidArgumentError, Option, type Command } from 'commander';
import { AnalysisValueError, bindAnalysis, type Analysis } from '../model/analyses/analysis.js';
import { loadAnalyses } from '../model/analyses/read-analysis.js';
import { Analysts } from '../analysts/analysts.js';
import { deidentifiedView } from '../analysts/deidentify/view.js';
import { identified, levels, type LevelName } from '../analysts/levels.js';
import { resultFormatNames, type ResultFormatName } from '../analysts/result-formats.js';
import { loadOntology } from '../model/ontology/directory.js';
import type { Ontology } from '../model/ontology/model.js';
import { memoryShare, quadsIn } from '../store/capacity.js';
import { askLocally, askServer, type ServerQuery } from './ask-server.js';
import { CommandError, UsageError } from './command-errors.js';
import { requireData, withData, type OpenData } from './open-data.js';
import { printJson, printTable } from './output.js';
import { printAnswer, refuseOnTerminal } from './query-command.js';
import { readSettings, type Settings } from './read-settings.js';

type Given = readonly (readonly [name: string, value: string])[];

interface RunOptions {
  readonly param: Given;
  readonly format?: ResultFormatName | 'table';
  readonly level: LevelName;
  readonly purpose?: string;
  readonly server?: string;
  readonly token?: string;
}

/** `chartgraph analyses list` and `analyses run`: the built-in analyses. */
export function define(command: Command): void {
  const withFolders = (each: Command): Command =>
    each
      .option('--ontology <dir>', 'the ontology of the data instead of the shipped one')
      .option('--queries <dir>', 'the folder of queries with the analyses instead of the shipped one');

  withFolders(command.command('list'))
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

  withFolders(command.command('run'))
    .description('answer an analysis: on a server that is named, else on the data directory')
    .argument('<name>', 'as analyses list shows it')
    .option('--param <name=value>', 'a parameter; give it once for each', parameter, [])
    .addOption(
      new Option(
        '--format <fmt>',
        'table (default on a terminal), csv (default elsewhere), tsv, json, xml or parquet',
      ).choices(['table', ...resultFormatNames]),
    )
    .addOption(
      new Option('--level <level>', 'what is seen of people').choices([...levels]).default(levels[0]),
    )
    .option('--server <url>', 'ask this server, with --token, which says the level')
    .option('--token <file>', 'with --server: what token issue --analyst printed')
    .option('--purpose <text>', 'why, for the access log')
    .action(async (name: string, options: RunOptions, run: Command) => {
      const settings = readSettings(run.optsWithGlobals());
      const { server, token } = options;
      if ((server === undefined) !== (token === undefined))
        throw new UsageError('--server and --token go together: a server wants proof of who asks.');
      refuseOnTerminal(options.format);
      if (server === undefined) requireData(settings);
      const { analyses, ontology } = await readAll(settings);
      const analysis = analyses.get(name);
      if (!analysis)
        throw new CommandError(`There is no analysis ${JSON.stringify(name)}; analyses list shows them all.`);
      const isTable = options.format === 'table' || (options.format === undefined && process.stdout.isTTY);
      const rows = options.format === 'table' || isTable ? 'json' : (options.format ?? 'csv');
      const query: ServerQuery = {
        sparql: boundTo(analysis, options.param),
        formats: { rows, graph: undefined },
        purpose: options.purpose ?? `analysis ${name}`,
        timeout: undefined,
        level: options.level,
      };
      const answered =
        server !== undefined && token !== undefined
          ? await askServer(server, token, query)
          : await askLocally(settings.data, settings.baseUrl, query);
      if (answered) return printAnswer(answered, isTable);
      return withData(settings, (open) => answerAlone(open, ontology, query, isTable));
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

/** Fills the level and runs the query, when no server is running. */
async function answerAlone(
  { primary }: OpenData,
  ontology: Ontology,
  { sparql, formats, level = levels[0] }: ServerQuery,
  isTable: boolean,
): Promise<void> {
  const deidentified = deidentifiedView(primary, ontology);
  const views = { deidentified, identified };
  const analysts = new Analysts({ primary, ontology, views, planned: quadsIn(memoryShare()) });
  try {
    await analysts.fill(level);
    const asked = { sparql, level, formats, user: '', purpose: '' };
    const answered = await analysts.answer(asked, new AbortController().signal);
    if ('failure' in answered) throw new CommandError(answered.failure.message);
    const { mediaType, isCut = false } = answered.head;
    await printAnswer({ mediaType, isCut, warnings: [], body: answered.body }, isTable);
  } finally {
    await analysts.close();
  }
}
