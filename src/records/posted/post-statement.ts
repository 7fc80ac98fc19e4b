import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../problem.js';
import { RdfLimitError, RdfSyntaxError } from '../../rdf/rdf-errors.js';
import type { WriteTx } from '../../disk/data-directory.js';
import type { RdfFormat } from '../../rdf/formats.js';
import { parseRdf } from '../../rdf/parse.js';
import { numberBlankNodes } from '../../rdf/skolem-iris.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import { InvalidGraph, type NamedGraph } from '../../store/graph-store.js';
import type { Author } from '../../store/history.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { validateResource } from '../../validate/resource.js';
import { requireOwner } from '../owner.js';
import { statementPathOf, recordIri, statementIri } from '../resource-paths.js';
import { collectTitles, unifyTitles, type Titles } from '../titles.js';
import { answeredBefore, rememberAnswer, type Repeatable } from './idempotency.js';
import { postedStatement, type Target } from './posted-statement.js';
import { refuse422, refuseViolations } from './posted-problems.js';
import { countPosted, requireQuota, type Counted } from './posted-quota.js';

/**
 * What a body may hold, so that no step of its way takes more than a tenth of a second: until a step is done, the
 * process answers nobody else. Statements of records have a few dozen triples.
 */
const limits = {
  maxQuads: 4_000,
  maxDepth: 256,
  /** Characters, with every IRI written out: a graph is stored as N-Triples, which have no prefixes. */
  maxText: 4_000_000,
  /** The processor of JSON-LD takes time with the square of them. */
  maxJsonValues: 1000,
};
/** Links that may be read while entangled blank nodes are told apart. */
export const MOST_NUMBERING_WORK = 100_000;

/** A statement that an app adds to a record. */
export interface Post extends Pick<Target, 'ontology' | 'base' | 'model'> {
  readonly primary: PrimaryStore;
  readonly recordId: string;
  /** Who posts, and how much that may be in a day. */
  readonly poster: Pick<Counted, 'app' | 'quota'>;
  readonly body: Uint8Array;
  readonly format: RdfFormat;
  /** For the history. */
  readonly by?: Author;
  /** From the Idempotency-Key, where one was sent. */
  readonly repeatable?: Repeatable | undefined;
  /** Told of the milliseconds of processor time that each step took in which nobody else was answered. */
  readonly onBusy?: (ms: number) => void;
}

/**
 * Stores the one statement of a body under a new name in a record, durably, or gives the name that the same request
 * got before.
 * @returns its IRI
 * @throws Problem malformed-request for a body that is no RDF, unprocessable for one against the ontology or the
 *   limits, conflict for one of another record, not-found when the record is gone, too-many-requests beyond the quota
 */
export async function postStatement(post: Post): Promise<string> {
  const { primary, base, repeatable, body, recordId } = post;
  const now = Date.now();
  const counted = { ...post.poster, record: recordId, bytes: body.byteLength };
  const known = repeatable && primary.directory.read((tx) => answeredBefore(tx, repeatable, now));
  if (known !== undefined) return base + known;
  // Before anything is done for it; it is counted with what it stores.
  primary.directory.read((tx) => requireQuota(tx, counted, now));
  const { name, quads } = await prepare(post);
  const path = name.slice(base.length);
  try {
    const also = (tx: WriteTx): void => {
      requireOwner(tx, path);
      // Of two requests at once the second finds the first one here.
      const before = repeatable && answeredBefore(tx, repeatable, now);
      if (before !== undefined) throw new AnsweredMeanwhile(base + before);
      countPosted(tx, counted, now);
      if (repeatable) rememberAnswer(tx, repeatable, path, now);
    };
    // Its text is made before it waits for its turn.
    const { written } = await timed(post, () => ({
      written: primary.write({ replace: [{ name, quads }], by: post.by }, also),
    }));
    await written;
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return error.iri;
    throw asProblem(error);
  }
  return name;
}

/** Undoes a transaction whose work another one has done. */
class AnsweredMeanwhile extends Error {
  constructor(readonly iri: string) {
    super('The same request was answered meanwhile.');
  }
}

async function prepare(post: Post): Promise<NamedGraph> {
  const { ontology, base, model, recordId } = post;
  const record = recordIri(base, recordId);
  const path = statementPathOf(model);
  if (!path?.item) throw new Error(`nothing can be posted as ${model.name}: its base path has no id`);
  const collection = `${record}/${path.segment}`;
  const name = statementIri(record, path, randomUUID());
  const quads = await timed(post, (pause) => parse(post, `${collection}/`, pause));
  // Others may be answered between two steps.
  await setImmediate();
  const target = { ontology, base, model, record, collection };
  const stated = await timed(post, () => ({ name, quads: postedStatement(quads, name, target) }));
  const titles = await storedTitles(post, record, stated);
  const graph = await timed(post, () => unifyTitles([stated], ontology, base, titles).graphs[0] ?? stated);
  await setImmediate();
  await timed(post, () =>
    refuseViolations(validateResource(ontology, namedNode(name), graph.quads, { complete: true })),
  );
  await setImmediate();
  try {
    await timed(post, () => numberBlankNodes(graph.quads, MOST_NUMBERING_WORK));
  } catch (error) {
    throw asProblem(error);
  }
  return graph;
}

/** Takes a step that waits for nothing but turns of the event loop, and tells how long it worked between them. */
async function timed<T>({ onBusy }: Post, step: (pause: () => Promise<void>) => T | Promise<T>): Promise<T> {
  let start = process.cpuUsage();
  const tell = (): void => {
    const { user, system } = process.cpuUsage(start);
    onBusy?.((user + system) / 1000);
  };
  const pause = async (): Promise<void> => {
    tell();
    await setImmediate();
    start = process.cpuUsage();
  };
  try {
    return await step(pause);
  } finally {
    tell();
  }
}

async function parse({ body, format }: Post, baseIRI: string, pause: () => Promise<void>): Promise<Quad[]> {
  try {
    return await parseRdf(body, { format, baseIRI, doctype: 'refuse', pause, ...limits });
  } catch (error) {
    throw asProblem(error);
  }
}

/** Graphs that are looked through in one turn of the event loop: those of records are short. */
const LOOKED_THROUGH = 20;

/** Titles that the record shows for codes of the statement; those that the ontology names need no looking up. */
async function storedTitles(post: Post, record: string, { quads }: NamedGraph): Promise<Titles> {
  const { primary, ontology, base } = post;
  const titles: Titles = new Map();
  const codes = new Set(
    [...collectTitles(quads, base).keys()].filter((iri) => !ontology.codes.get(iri)?.title),
  );
  if (codes.size === 0) return titles;
  const names = primary.names(`${record}/`);
  for (let at = 0; at < names.length; at += LOOKED_THROUGH) {
    // A record may have many thousands of graphs, whatever the statement is.
    if (at > 0) await setImmediate();
    await timed(post, () => {
      for (const name of names.slice(at, at + LOOKED_THROUGH)) {
        const about = primary.graph(name)?.filter(({ subject }) => codes.has(subject.value));
        collectTitles(about ?? [], base, titles);
      }
    });
  }
  return titles;
}

/** What parsers and the store say about a body, as a refusal; other errors stay as they are. */
function asProblem(error: unknown): unknown {
  if (error instanceof RdfSyntaxError) {
    const extra = error.line === undefined ? {} : { line: error.line };
    return new Problem('malformed-request', `The body cannot be read: ${sentence(error.reason)}`, { extra });
  }
  try {
    if (error instanceof RdfLimitError) refuse422('limit', `The body is too much: ${sentence(error.reason)}`);
    if (error instanceof InvalidGraph) refuse422('graph', 'The body holds something that cannot be kept.');
  } catch (problem) {
    return problem;
  }
  return error;
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
