import type { Analysis, AnalysisParameter } from '../../model/analyses/analysis.js';
import { clientMethods } from '../../model/ontology/client-methods.js';
import { pascalCase, application, callRow, comment, key, quoted, union, type Names } from './client-text.js';

/** Writes a container's analyses as TypeScript: parameters, methods, and the table of requests. */
export function clientAnalyses(analyses: readonly Analysis[], names: Names): string {
  if (analyses.length === 0) return '';
  const taken = analyses.map((analysis) => ({
    analysis,
    type:
      analysis.parameters.length === 0
        ? 'NoParameters'
        : names.take(`${pascalCase(analysis.name)}Parameters`),
  }));
  const parameters = taken.map(({ analysis, type }) => parametersOf(analysis, type));
  const methods = taken.map(({ analysis, type }) => methodOf(analysis, type));
  return (
    parameters.join('') +
    '\n/** The analyses of a container: a method for each. */\n' +
    `export interface Analyses {\n${methods.join('')}}\n` +
    '\n/** The analyses, as clients work with them. */\n' +
    `export const analyses: ApiModel<Analyses> = {\n  calls: {\n${analyses.map(rowOf).join('')}  },\n  classes: {},\n};\n` +
    '\n' +
    comment(
      'Makes a client of the analyses of a container.\n@throws TypeError for settings that cannot be used',
    ) +
    'export function createAnalyst(settings: AnalystSettings): Analyses {\n' +
    '  return connect(analyses, settings);\n}\n'
  );
}

function parametersOf({ name, parameters }: Analysis, type: string): string {
  if (parameters.length === 0) return '';
  const members = parameters.map(memberOf).join('');
  return `\n/** What the analysis \`${name}\` takes. */\nexport interface ${type} {\n${members}}\n`;
}

function memberOf({ name, type, comment: says, choices, standard }: AnalysisParameter): string {
  const types = type === 'integer' ? ['number'] : choices.length > 0 ? choices.map(quoted) : ['string'];
  const usual = standard === undefined ? '' : `\nWhen left out: ${standard}.`;
  const isOptional = standard === undefined ? '' : '?';
  return comment(says + usual, '  ') + union(`readonly ${key(name)}${isOptional}:`, types, '  ');
}

function methodOf({ name, title, description, columns }: Analysis, type: string): string {
  const says = comment(`${title}.\n${description}\n\`GET /analyses/${name}\``, '  ');
  const applied = [type, columns.map(quoted).join(' | ')];
  return says + application(`readonly ${key(name)}: ${clientMethods.table.type}`, applied, '  ');
}

const rowOf = ({ name, parameters }: Analysis): string =>
  callRow(
    name,
    { method: 'GET', path: `/analyses/${name}`, form: clientMethods.table.form },
    { query: parameters.map((each) => each.name), classes: [] },
  );
