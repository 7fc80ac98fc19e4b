import type { Ontology } from '../ontology/model.js';
import { Problem } from '../problem.js';
import type { RdfFormat } from '../rdf/formats.js';
import { writeTriples } from '../rdf/ntriples.js';
import { namedNode, quad, type Quad } from '../rdf/terms.js';
import { sp } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import type { NamedGraph } from '../store/graph-store.js';
import { historyBegins, untold } from '../store/past.js';
import { graphsSince, removedSince, type Graphs } from '../store/past-graphs.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { freshLabels } from './fresh-labels.js';
import { recordIri, recordPath, recordsStart } from './resource-paths.js';
import { graphNames, recordIds, statementTest } from './record-names.js';
import { oneTitlePerCode } from './titles.js';

export interface ExportOptions {
  /** The primary store, or what it held at an earlier time. */
  readonly primary: Graphs;
  readonly ontology: Ontology;
  readonly base: string;
  readonly format: RdfFormat;
  /** One record; default: all records, users and app manifests. */
  readonly recordId?: string | undefined;
}

/** Graphs that the container writes itself at every start. */
const OWN = ['/manifest', '/ontology'];

/**
 * Writes what a data directory holds, chunk by chunk, always in the same order and with the same bytes for the
 * same data. N-Quads and TriG keep the named graphs and can be loaded back; the other formats merge them (N-Triples
 * record by record, the rest at once, for which everything must fit in memory), and there a code has one title.
 * `sp:hasStatement` is derived; the container's manifest and ontology are left out of a whole export.
 * @throws Problem not-found when there is no such record
 */
export async function* exportRdf(options: ExportOptions): AsyncIterable<string> {
  const { primary, base, recordId } = options;
  if (recordId !== undefined && !primary.has(recordIri(base, recordId))) {
    throw new Problem('not-found', `There is no record ${recordId}.`);
  }
  yield* writers[options.format](parts(options), options);
}

/**
 * Writes what changes after one have left of the graphs that they touched, as N-Quads or TriG, with comments: first the
 * revision that it leads to, last the name of each graph that was removed.
 * @throws Problem no-history when history does not reach back to that change, or there was none of that number yet
 */
export async function* exportChanges(
  options: Omit<ExportOptions, 'primary'> & {
    readonly primary: PrimaryStore;
    readonly format: 'nquads' | 'trig';
    readonly since: number;
  },
): AsyncIterable<string> {
  const { primary, base, recordId, since } = options;
  const [begins, revision] = primary.directory.read((tx) => [historyBegins(tx), primary.revision('')]);
  if (!begins) throw new Problem('no-history', 'This container keeps no history.');
  if (since > revision)
    throw new Problem(
      'no-history',
      `This container has come to revision ${revision} only, as after a restore; export everything once.`,
    );
  const reason = primary.directory.read((tx) => untold(tx, since));
  if (reason) {
    const why =
      reason.why === 'lost'
        ? `Revision ${since} was lost when a backup was restored`
        : `History is kept since revision ${reason.from}`;
    throw new Problem('no-history', `${why}; export everything once.`);
  }
  yield `# revision ${revision}\n`;
  const graphs = graphsSince(primary, since);
  const ids = recordId === undefined ? idsOf(graphs.names(recordsStart(base)), base) : [recordId];
  const records = ids.map((id) =>
    [recordIri(base, id), ...graphs.names(`${recordIri(base, id)}/`)].filter((name) => graphs.has(name)),
  );
  const others =
    recordId === undefined
      ? graphs.names().filter((name) => !name.startsWith(recordsStart(base)) && !isOwn(name, base))
      : [];
  const all = [...records, ...others.map((name) => [name])].map((names) =>
    names.map((name) => ({ name, quads: graphs.graph(name) ?? [] })),
  );
  yield* writers[options.format](all, { ...options, primary: graphs });
  for (const name of removedSince(primary, since)) {
    const record = recordId === undefined ? undefined : recordIri(base, recordId);
    if (record === undefined || name === record || name.startsWith(`${record}/`))
      yield `# removed <${name}>\n`;
  }
}

/** The records that names of graphs belong to, each once. */
function idsOf(names: readonly string[], base: string): string[] {
  return [...new Set(names.flatMap((name) => recordPath(name, base)?.recordId ?? []))];
}

const isOwn = (name: string, base: string): boolean => OWN.some((path) => name === base + path);

/** The graphs of one record, or one resource outside the records. */
type Part = readonly NamedGraph[];
type Writer = (parts: Iterable<Part>, options: ExportOptions) => Iterable<string> | AsyncIterable<string>;

const writers: Readonly<Record<RdfFormat, Writer>> = {
  nquads: (all) =>
    eachGraph(all, ({ name, lines }) => lines.map((line) => `${line.slice(0, -1)}<${name}> .`)),
  // N-Triples inside graph blocks is TriG; blank nodes have one scope in the file, which the relabelling respects.
  trig: (all) => eachGraph(all, ({ name, lines }) => [`<${name}> {`, ...lines, '}']),
  ntriples: function* (all) {
    for (const part of relabelled(all))
      yield text([...new Set(part.flatMap(({ quads }) => linesOf(quads)))].sort());
  },
  turtle: merged,
  rdfxml: merged,
  jsonld: merged,
};

function* eachGraph(
  all: Iterable<Part>,
  write: (graph: { name: string; lines: string[] }) => string[],
): Iterable<string> {
  for (const part of relabelled(all)) {
    for (const { name, quads } of part) yield text(write({ name, lines: linesOf(quads) }));
  }
}

async function* merged(all: Iterable<Part>, { format, ontology }: ExportOptions): AsyncIterable<string> {
  const quads = [...relabelled(all)].flatMap((part) => part.flatMap((graph) => graph.quads));
  yield await writeRdf(oneTitlePerCode(quads, ontology), format);
}

/** Gives every blank node a label that no other graph of the export uses. */
function* relabelled(all: Iterable<Part>): Iterable<Part> {
  const relabel = freshLabels();
  for (const part of all) yield part.map(({ name, quads }) => ({ name, quads: relabel(quads) }));
}

function* parts({ primary, ontology, base, recordId }: ExportOptions): Iterable<Part> {
  const isStatement = statementTest(ontology, base);
  for (const id of recordId === undefined ? recordIds(primary, base) : [recordId]) {
    const names = graphNames(primary, base, id);
    const record = recordIri(base, id);
    yield names.map((name) => {
      const stored = primary.graph(name) ?? [];
      return {
        name,
        quads: name === record ? [...stored, ...statementLinks(record, names.filter(isStatement))] : stored,
      };
    });
  }
  if (recordId !== undefined) return;
  const records = recordsStart(base);
  for (const name of [...primary.names()].sort()) {
    if (name.startsWith(records) || isOwn(name, base)) continue;
    yield [{ name, quads: primary.graph(name) ?? [] }];
  }
}

function statementLinks(record: string, statements: readonly string[]): Quad[] {
  return statements.map((iri) => quad(namedNode(record), namedNode(sp.hasStatement), namedNode(iri)));
}

/** One N-Triples line for each quad, sorted by code unit. */
function linesOf(quads: readonly Quad[]): string[] {
  return quads.map((found) => writeTriples([found]).trimEnd()).sort();
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
