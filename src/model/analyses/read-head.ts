import {
  chartKinds,
  type Aggregate,
  type AnalysisChart,
  type AnalysisParameter,
  parameterTypes,
  saysOf,
  termOf,
  type ParameterType,
} from './analysis.js';

export interface AnalysisHead {
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly AnalysisParameter[];
  readonly declared: ReadonlySet<string>;
  readonly chart: AnalysisChart | undefined;
  readonly aggregate: Aggregate | undefined;
  readonly problems: readonly HeadProblem[];
}

export interface HeadProblem {
  readonly line: number;
  readonly reason: string;
}

/** `$name (type details, default): what it is` */
const declaration =
  /^\$(?<name>[A-Za-z_]\w{0,63}) \((?<type>[a-z]+)(?: (?<details>[^,()]+))?(?:, (?<standard>[^()]+))?\): (?<comment>\S.*)$/;
const aggregating = /^aggregate: (?<counts>[\w ]+) by (?<shown>[\w ]+)$/;
const drawing = /^chart: (?<kind>[a-z]+) (?<columns>[\w ]+)$/;

/** Reads the comments before the SPARQL, in the form of docs/analyses.md. */
export function readHead(text: string): AnalysisHead {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#'));
  const problems: HeadProblem[] = [];
  const words: string[] = [];
  const parameters: AnalysisParameter[] = [];
  const declared = new Set<string>();
  let chart: AnalysisChart | undefined;
  let aggregate: Aggregate | undefined;
  for (const [index, raw] of lines.slice(0, end < 0 ? lines.length : end).entries()) {
    const line = raw.replace(/^#\s?/, '').trim();
    const fail = (reason: string): number => problems.push({ line: index + 1, reason });
    if (line.startsWith('$')) {
      declared.add(/\w*/.exec(line.slice(1))?.[0] ?? '');
      const parameter = readParameter(line, fail);
      if (parameter) parameters.push(parameter);
    } else if (line.startsWith('chart:')) chart = readChart(line, fail);
    else if (line.startsWith('aggregate:')) aggregate = readAggregate(line, fail);
    else if (line !== '') words.push(line);
  }
  const [title = '', ...description] = words;
  if (title === '')
    problems.push({ line: 1, reason: 'the title is missing: write it into a comment on the first line' });
  return { title, description: description.join(' '), parameters, declared, chart, aggregate, problems };
}

function readParameter(line: string, fail: (reason: string) => void): AnalysisParameter | undefined {
  const { name = '', type = '', details = '', standard, comment = '' } = declaration.exec(line)?.groups ?? {};
  if (name === '') {
    fail('a parameter is declared as "$name (type, default): what it is"');
    return undefined;
  }
  if (!isType(type)) {
    fail(`$${name} has the type ${type}; types are ${Object.keys(parameterTypes).join(', ')}`);
    return undefined;
  }
  const choices = type === 'choice' ? details.split('|') : [];
  const parameter = { name, type, comment, codeBase: type === 'code' ? details : '', choices, standard };
  if (type === 'code' && !/[/#:]$/.test(details))
    fail(`$${name} is a code: name its system, such as (code http://purl.bioontology.org/ontology/LNC/)`);
  else if (type === 'choice' && choices.length < 2)
    fail(`$${name} is a choice: name what there is to choose, as (choice a|b)`);
  else if (standard !== undefined && !termOf(parameter, standard))
    fail(`the default of $${name} is ${standard}, but must be ${saysOf(parameter)}`);
  return parameter;
}

const isType = (type: string): type is ParameterType => Object.hasOwn(parameterTypes, type);

function readChart(line: string, fail: (reason: string) => void): AnalysisChart | undefined {
  const groups = drawing.exec(line)?.groups ?? {};
  const kind = chartKinds.find((each) => each === groups['kind']);
  const [across, ...values] = (groups['columns'] ?? '').split(' ').filter(Boolean);
  if (kind !== undefined && across !== undefined && values.length > 0) return { kind, across, values };
  fail(`a chart is "chart: ${chartKinds.join(' or ')}", the column across and the columns of numbers`);
  return undefined;
}

function readAggregate(line: string, fail: (reason: string) => void): Aggregate | undefined {
  const { counts, shown } = aggregating.exec(line)?.groups ?? {};
  if (counts !== undefined && shown !== undefined)
    return { counts: counts.split(' '), shown: shown.split(' ') };
  fail(
    'an aggregate is "aggregate: ", the column that counts patients, other counts, "by", and other columns',
  );
  return undefined;
}
