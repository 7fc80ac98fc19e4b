import { sparqlResults } from '../rdf/vocabulary.js';
import type { AnswerRow } from '../store/query-thread.js';
import type { JsonTerm } from '../store/working-set.js';

/** The answer to SELECT: variables in the order of the query, a row per solution, unbound ones left out. */
export interface Solutions {
  variables: readonly string[];
  rows: readonly AnswerRow[];
}

/** How the answers to SELECT and ASK are written. */
interface ResultFormat {
  solutions(answer: Solutions): string;
  ask(answer: boolean): string;
}

/** The result formats by the name given to `--format`. Lines end in LF, CSV's too, for the tools of a shell. */
export const resultFormats = {
  json: {
    solutions: ({ variables, rows }) =>
      `${JSON.stringify({ head: { vars: variables }, results: { bindings: rows } })}\n`,
    ask: (answer) => `${JSON.stringify({ head: {}, boolean: answer })}\n`,
  },
  csv: {
    solutions: ({ variables, rows }) => lines(variables.map(csvField), rows, variables, ',', csvTerm),
    ask: (answer) => `${answer}\n`,
  },
  tsv: {
    solutions: ({ variables, rows }) =>
      lines(
        variables.map((name) => `?${name}`),
        rows,
        variables,
        '\t',
        turtleTerm,
      ),
    ask: (answer) => `${answer}\n`,
  },
  xml: {
    solutions: ({ variables, rows }) =>
      xml(
        `<head>${variables.map((name) => `<variable name="${name}"/>`).join('')}</head>\n` +
          `<results>\n${rows.map((row) => xmlResult(variables, row)).join('')}</results>`,
      ),
    ask: (answer) => xml(`<head/>\n<boolean>${answer}</boolean>`),
  },
} as const satisfies Record<string, ResultFormat>;

export type ResultFormatName = keyof typeof resultFormats;

function lines(
  headings: readonly string[],
  rows: readonly AnswerRow[],
  variables: readonly string[],
  separator: string,
  cell: (term: JsonTerm) => string,
): string {
  const line = (row: AnswerRow): string =>
    variables
      .map((name) => {
        const term = row[name];
        return term === undefined ? '' : cell(term);
      })
      .join(separator);
  return [headings.join(separator), ...rows.map(line)].map((text) => `${text}\n`).join('');
}

// SPARQL 1.1 CSV and TSV §3.1: CSV holds bare values, quoted as RFC 4180 says.
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

// SPARQL 1.1 CSV and TSV §4: TSV holds terms as Turtle writes them.
function turtleTerm(term: JsonTerm): string {
  if (term.type === 'uri') return `<${term.value}>`;
  if (term.type === 'bnode') return `_:${term.value}`;
  const quoted = `"${term.value.replace(/[\\"\n\r\t]/gu, (character) => turtleEscapes[character] ?? character)}"`;
  if (term['xml:lang'] !== undefined) return `${quoted}@${term['xml:lang']}`;
  return term.datatype === undefined ? quoted : `${quoted}^^<${term.datatype}>`;
}

function xml(body: string): string {
  return `<?xml version="1.0"?>\n<sparql xmlns="${sparqlResults}">\n${body}\n</sparql>\n`;
}

function xmlResult(variables: readonly string[], row: AnswerRow): string {
  const bindings = variables.map((name) => {
    const term = row[name];
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

function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/gu, (character) => xmlEscapes[character] ?? character);
}
