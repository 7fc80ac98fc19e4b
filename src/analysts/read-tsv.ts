import type { Readable } from 'node:stream';

export interface FirstRows {
  readonly columns: readonly string[];
  /** Values in column order, '' for none. */
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Reads the first rows of a SPARQL 1.1 TSV answer; the rest is not read. */
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

function valueOf(cell: string): string {
  if (cell.startsWith('<')) return cell.slice(1, -1);
  if (!cell.startsWith('"')) return cell;
  const text = cell.slice(1, cell.lastIndexOf('"'));
  return text.replaceAll(/\\(.)/gsu, (_, letter: string) => escapes[letter] ?? letter);
}
