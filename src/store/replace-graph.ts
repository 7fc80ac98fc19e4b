/** A graph that loses a larger share of its statements is cleared instead, since deleting them one by one is slower. */
const MAX_DELETED_SHARE = 1 / 8;

/** IRIs certain to be valid in SPARQL; the engine may have loaded others that its parser rejects. */
const plain =
  /^<[a-z]+:(?:\/\/[\w.-]+(?::\d+)?(?=[/#>])|(?!\/\/))(?:[\w/.:~@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*(?:#[\w/.:~-]*)?>$/;

/**
 * Computes how to turn a graph in a working set into another. Unchanged statements stay, because the engine keeps the
 * memory of deleted ones.
 * @param held N-Triples as written by the engine
 * @param wanted the N-Triples of the new graph
 * @returns `update`: SPARQL Update that deletes the old statements, may be empty; `added`: N-Triples to add
 */
export function replaceGraph(name: string, held: string, wanted: string): { update: string; added: string } {
  if (held === '') return { update: '', added: wanted };
  const gone = new Set(linesOf(held));
  const most = gone.size * MAX_DELETED_SHARE;
  const lines = linesOf(wanted);
  const added = new Set(lines.filter((line) => !gone.delete(line)));
  // The engine may write a literal differently, so delete by subject and predicate alone, and add back what should
  // stay.
  const pairs = new Set(Array.from(gone, pairOf));
  if (pairs.size > most || ![...pairs].every(isPlain))
    return { update: `CLEAR SILENT GRAPH <${name}>`, added: wanted };
  if (pairs.size > 0) for (const line of lines) if (pairs.has(pairOf(line))) added.add(line);
  return {
    update: Array.from(pairs, (pair) => `DELETE WHERE { GRAPH <${name}> { ${pair} ?o } }`).join(';'),
    added: Array.from(added, (line) => `${line}\n`).join(''),
  };
}

function linesOf(ntriples: string): string[] {
  const lines = ntriples.split('\n');
  lines.pop();
  return lines;
}

function pairOf(line: string): string {
  return line.slice(0, line.indexOf(' ', line.indexOf(' ') + 1));
}

const isPlain = (pair: string): boolean => pair.split(' ').every((iri) => plain.test(iri));
