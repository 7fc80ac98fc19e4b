import type { Readable } from 'node:stream';

/** The first rows of an answer, and whether there are more. */
export interface FirstRows {
  /** As the first line names them. */
  readonly columns: readonly string[];
  /** Cells in the order of the columns: the value of each term, '' for none. */
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The first rows of an answer in SPARQL 1.1 TSV, whose lines hold a row each; what follows them is not read. */
export async function firstRows(body: Readable, most: number): Promise<FirstRows> {
  const rows: string[][] = [];
  let rest = '';
  let columns: string[] | undefined;
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!columns) columns = line.split('\t');
      else if (rows.length === most) {
        body.destroy();
        return { columns, rows, hasMore: true };
      } else rows.push(line.split('\t').map(valueOf));
    }
  }
  return { columns: columns ?? [], rows, hasMore: false };
}

/** The value of a term as TSV writes it: an IRI, a literal in quotation marks, a number. */
function valueOf(cell: string): string {
  if (cell.startsWith('<')) return cell.slice(1, -1);
  if (!cell.startsWith('"')) return cell;
  const text = cell.slice(1, cell.lastIndexOf('"'));
  return text.replaceAll(/\\(.)/gsu, (_, letter: string) => escapes[letter] ?? letter);
}
