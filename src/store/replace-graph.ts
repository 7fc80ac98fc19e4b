/** What is done in a working set so that a graph becomes another one. */
export interface Replacement {
  /** SPARQL Update that takes away what is gone; empty where nothing is. */
  readonly update: string;
  /** The N-Triples that are put in after it. */
  readonly added: string;
}

/** Above this share of its statements a graph is cleared instead: to take them away one by one takes longer. */
const MOST_GONE = 1 / 8;

/** IRIs that can be named in SPARQL for certain; of others the engine may have taken in some that it does not read there. */
const plain =
  /^<[a-z]+:(?:\/\/[\w.-]+(?::\d+)?(?=[/#>])|(?!\/\/))(?:[\w/.:~@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*(?:#[\w/.:~-]*)?>$/;

/**
 * How a graph becomes another one. What stays is not touched: the engine keeps the memory of all that was ever taken
 * away, and a note of each time that something was put in again.
 * @param held its N-Triples as the engine writes them
 * @param wanted its N-Triples as they shall be
 */
export function replaceGraph(name: string, held: string, wanted: string): Replacement {
  if (held === '') return { update: '', added: wanted };
  const gone = new Set(linesOf(held));
  const most = gone.size * MOST_GONE;
  const lines = linesOf(wanted);
  const added = new Set(lines.filter((line) => !gone.delete(line)));
  // The engine may write a literal in another form than it was given, so it is told by subject and predicate alone, and
  // what shall stay of these is put in again.
  const places = new Set(Array.from(gone, placeOf));
  if (places.size > most || ![...places].every(isPlain))
    return { update: `CLEAR SILENT GRAPH <${name}>`, added: wanted };
  if (places.size > 0) for (const line of lines) if (places.has(placeOf(line))) added.add(line);
  return {
    update: Array.from(places, (place) => `DELETE WHERE { GRAPH <${name}> { ${place} ?o } }`).join(';'),
    added: Array.from(added, (line) => `${line}\n`).join(''),
  };
}

function linesOf(ntriples: string): string[] {
  const lines = ntriples.split('\n');
  lines.pop();
  return lines;
}

/** Subject and predicate of a line: neither holds a space. */
function placeOf(line: string): string {
  return line.slice(0, line.indexOf(' ', line.indexOf(' ') + 1));
}

const isPlain = (place: string): boolean => place.split(' ').every((iri) => plain.test(iri));
