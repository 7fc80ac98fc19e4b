import type { Ontology } from '../model/ontology/model.js';
import { Problem } from '../model/problem.js';
import type { RdfFormat } from '../rdf/formats.js';
import { writeTriples } from '../rdf/ntriples.js';
import { namedNode, quad, say, type Quad, blankNode, type Term } from '../rdf/terms.js';
import { sp } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import type { NamedGraph } from '../store/graph-store.js';
import { historyBegins, untold } from '../store/past.js';
import { resolveText } from '../store/relative-text.js';
import type { Pause } from '../store/steps.js';
import { graphText, pathsIn } from '../store/stored-graphs.js';
import { MAX_BYTES } from './lists/graphs.js';
import { recordPart } from './record-partition.js';
import { graphsSince, removedSince, type Graphs } from '../store/past-graphs.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { recordIri, recordPath, recordsStart } from './resource-paths.js';
import { graphNames, recordIds, statementTest } from './record-names.js';
import { oneTitlePerCode } from './titles.js';

export interface ExportOptions {
  readonly primary: Graphs;
  readonly ontology: Ontology;
  readonly base: string;
  readonly format: RdfFormat;
  readonly recordId?: string | undefined;
}

const encoder = new TextEncoder();

/** Reads a record as `exportRdf` does, as N-Triples whose blank nodes still have IRIs. @throws Problem */
export function recordTexts(
  { primary, ontology, base }: { readonly primary: PrimaryStore } & Pick<ExportOptions, 'ontology' | 'base'>,
  id: string,
  pause: Pause,
): Promise<Uint8Array<ArrayBuffer>[]> {
  return primary.directory.readInTurns(async (tx, hold) => {
    hold();
    const record = recordPart(id);
    const isStatement = statementTest(ontology, base);
    const texts: Uint8Array<ArrayBuffer>[] = [];
    let left = MAX_BYTES;
    for (const path of [...pathsIn(tx, record)]) {
      const link = isStatement(base + path)
        ? writeTriples([say(namedNode(base + record), sp.hasStatement, namedNode(base + path))])
        : '';
      const bytes = encoder.encode(resolveText(graphText(tx, path) ?? '', base) + link);
      if ((left -= bytes.byteLength) < 0) throw tooLong();
      texts.push(bytes);
      const due = pause();
      if (due) await due;
    }
    return texts;
  });
}

const tooLong = (): Problem =>
  new Problem(
    'too-large',
    'The record is too long for a page; ask the operator to export it with chartgraph export.',
  );

const OWN = ['/manifest', '/ontology'];

/**
 * Exports a data directory in chunks, deterministically. N-Quads and TriG keep the named graphs and can be loaded
 * again. Other formats merge them and keep one title per code; N-Triples go record by record, the rest is built in
 * memory. `sp:hasStatement` is derived. Full exports omit the container's manifest and ontology.
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
 * Exports the graphs that changed after a revision, as N-Quads or TriG. Comments name the revision reached (first) and
 * each removed graph (last).
 * @throws Problem no-history when history does not reach back that far, or the revision was never reached
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
  const ids =
    recordId === undefined
      ? [
          ...new Set(
            graphs.names(recordsStart(base)).flatMap((name) => recordPath(name, base)?.recordId ?? []),
          ),
        ]
      : [recordId];
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

const isOwn = (name: string, base: string): boolean => OWN.some((path) => name === base + path);

type Part = readonly NamedGraph[];
type Writer = (parts: Iterable<Part>, options: ExportOptions) => Iterable<string> | AsyncIterable<string>;

const writers: Readonly<Record<RdfFormat, Writer>> = {
  nquads: (all) =>
    eachGraph(all, ({ name, lines }) => lines.map((line) => `${line.slice(0, -1)}<${name}> .`)),
  // N-Triples inside graph blocks are TriG. Blank nodes share one scope per file, hence the relabelling.
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
  yield await writeRdf(oneTitlePerCode(quads, ontology), format, ontology);
}

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
      const links = names
        .filter((iri) => name === record && isStatement(iri))
        .map((iri) => say(namedNode(record), sp.hasStatement, namedNode(iri)));
      return { name, quads: [...stored, ...links] };
    });
  }
  if (recordId !== undefined) return;
  const records = recordsStart(base);
  for (const name of [...primary.names()].sort()) {
    if (name.startsWith(records) || isOwn(name, base)) continue;
    yield [{ name, quads: primary.graph(name) ?? [] }];
  }
}

function linesOf(quads: readonly Quad[]): string[] {
  return quads.map((found) => writeTriples([found]).trimEnd()).sort();
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Relabels the blank nodes of successive graphs so that they can share a file; returns triples. */
export function freshLabels(): (quads: readonly Quad[]) => Quad[] {
  let next = 0;
  return (quads) => {
    const labels = new Map<string, Term>();
    const rename = (term: Term): Term => {
      if (term.termType !== 'BlankNode') return term;
      const known = labels.get(term.value) ?? blankNode(`b${next++}`);
      labels.set(term.value, known);
      return known;
    };
    return quads.map((found) => quad(rename(found.subject), found.predicate, rename(found.object)));
  };
}
