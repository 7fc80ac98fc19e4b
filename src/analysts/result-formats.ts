import { describeCharacter } from '../rdf/ntriples.js';
import { UnwritableError } from '../rdf/rdf-errors.js';
import { sparqlResults } from '../rdf/vocabulary.js';
import { impossibleInXml } from '../rdf/xml-text.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';

const XML_START = `<?xml version="1.0"?>\n<sparql xmlns="${sparqlResults}">\n`;

/** The answer of a SELECT; unbound variables are missing from rows. */
export interface Solutions {
  variables: readonly string[];
  rows: readonly AnswerRow[];
}

export interface ResultFormat {
  readonly mediaType: string;
  head(variables: readonly string[]): string;
  row(variables: readonly string[], row: AnswerRow, isFirst: boolean): string;
  readonly tail: string;
  ask(answer: boolean): string;
}

/** Text formats by `--format` name. Lines end in LF, also in CSV, for shell tools. */
export const resultFormats = {
  json: {
    mediaType: 'application/sparql-results+json',
    head: (variables) => `{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`,
    row: (_, row, isFirst) => `${isFirst ? '' : ','}${JSON.stringify(row)}`,
    tail: ']}}\n',
    ask: (answer) => `${JSON.stringify({ head: {}, boolean: answer })}\n`,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: (variables) => line(variables.map(csvField), ','),
    row: (variables, row) => line(cells(variables, row, csvTerm), ','),
    tail: '',
    ask: (answer) => `${answer}\n`,
  },
  tsv: {
    mediaType: 'text/tab-separated-values; charset=utf-8',
    head: (variables) =>
      line(
        variables.map((name) => `?${name}`),
        '\t',
      ),
    row: (variables, row) => line(cells(variables, row, turtleTerm), '\t'),
    tail: '',
    ask: (answer) => `${answer}\n`,
  },
  xml: {
    mediaType: 'application/sparql-results+xml',
    head: (variables) =>
      `${XML_START}<head>${variables.map((name) => `<variable name="${name}"/>`).join('')}</head>\n<results>\n`,
    row: (variables, row) => xmlResult(variables, row),
    tail: `</results>\n</sparql>\n`,
    ask: (answer) => `${XML_START}<head/>\n<boolean>${answer}</boolean>\n</sparql>\n`,
  },
} as const satisfies Record<string, ResultFormat>;

export type TextFormatName = keyof typeof resultFormats;
/** Parquet is binary and only for SELECT (`parquetFile`). */
export type ResultFormatName = TextFormatName | 'parquet';

export const textFormatNames = Object.keys(resultFormats) as TextFormatName[];
export const resultFormatNames: readonly ResultFormatName[] = [...textFormatNames, 'parquet'];

export const PARQUET = 'application/vnd.apache.parquet';

/** Returns the media type with parameters. */
export function resultType(format: ResultFormatName): string {
  return format === 'parquet' ? PARQUET : resultFormats[format].mediaType;
}

export function solutionsText(format: TextFormatName, { variables, rows }: Solutions): string {
  const { head, row, tail }: ResultFormat = resultFormats[format];
  return head(variables) + rows.map((each, index) => row(variables, each, index === 0)).join('') + tail;
}

/** A variable may have the name of what every object has: `?toString`. */
const termOf = (row: AnswerRow, name: string): JsonTerm | undefined =>
  Object.hasOwn(row, name) ? row[name] : undefined;

function cells(variables: readonly string[], row: AnswerRow, cell: (term: JsonTerm) => string): string[] {
  return variables.map((name) => {
    const term = termOf(row, name);
    return term === undefined ? '' : cell(term);
  });
}

function line(fields: readonly string[], separator: string): string {
  return `${fields.join(separator)}\n`;
}

// SPARQL 1.1 CSV and TSV §3.1: CSV contains bare values, quoted as in RFC 4180.
function csvTerm(term: JsonTerm): string {
  return csvField(term.type === 'bnode' ? `_:${term.value}` : term.value);
}

function csvField(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const turtleEscapes: Record<string, string> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

// SPARQL 1.1 CSV and TSV §4: TSV contains terms in Turtle syntax.
function turtleTerm(term: JsonTerm): string {
  if (term.type === 'uri') return `<${term.value}>`;
  if (term.type === 'bnode') return `_:${term.value}`;
  const quoted = `"${term.value.replace(/[\\"\n\r\t]/gu, (character) => turtleEscapes[character] ?? character)}"`;
  if (term['xml:lang'] !== undefined) return `${quoted}@${term['xml:lang']}`;
  return term.datatype === undefined ? quoted : `${quoted}^^<${term.datatype}>`;
}

function xmlResult(variables: readonly string[], row: AnswerRow): string {
  const bindings = variables.map((name) => {
    const term = termOf(row, name);
    return term === undefined ? '' : `<binding name="${name}">${xmlTerm(term)}</binding>`;
  });
  return `<result>${bindings.join('')}</result>\n`;
}

function xmlTerm(term: JsonTerm): string {
  const value = escapeXml(term.value);
  if (term.type !== 'literal') return `<${term.type}>${value}</${term.type}>`;
  const language = term['xml:lang'] === undefined ? '' : ` xml:lang="${escapeXml(term['xml:lang'])}"`;
  const datatype = term.datatype === undefined ? '' : ` datatype="${escapeXml(term.datatype)}"`;
  return `<literal${language}${datatype}>${value}</literal>`;
}

const xmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** @throws UnwritableError for characters that XML 1.0 forbids */
function escapeXml(text: string): string {
  const fault = impossibleInXml(text);
  if (fault !== undefined) throw new UnwritableError(`XML 1.0 cannot carry ${describeCharacter(fault)}`);
  return text.replace(/[&<>"\r]/gu, (character) => xmlEscapes[character] ?? character);
}
