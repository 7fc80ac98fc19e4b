import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../model/problem.js';
import { RdfLimitError, RdfSyntaxError } from '../../rdf/rdf-errors.js';
import type { WriteTx, ReadTx } from '../../store/disk/data-directory.js';
import type { RdfFormat } from '../../rdf/formats.js';
import { parseRdf } from '../../rdf/parse.js';
import { numberBlankNodes } from '../../rdf/skolem-iris.js';
import { namedNode } from '../../rdf/terms.js';
import { InvalidGraph, type NamedGraph } from '../../store/graph-store.js';
import type { Author } from '../../store/history.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { jsonLdContext } from '../../model/jsonld-context.js';
import { validateResource } from '../../model/validate/resource.js';
import { requireOwner } from '../owner.js';
import { statementPathOf, recordIri, statementIri } from '../resource-paths.js';
import { collectTitles, unifyTitles, type Titles } from '../titles.js';
import { withProvider, type ProviderNames } from './provider.js';
import { answeredBefore, rememberAnswer, type Repeatable } from './idempotency.js';
import { postedStatement, type Target, refuseViolations, unprocessable } from './check-posted-shape.js';

/** Keep each step, which blocks other requests, under a tenth of a second. Statements have a few dozen triples. */
const limits = {
  maxQuads: 4_000,
  maxDepth: 256,
  maxText: 4_000_000,
  /** JSON-LD processing is quadratic in these. */
  maxJsonValues: 1000,
};
/** Maximum links read to tell entangled blank nodes apart. */
export const MAX_NUMBERING_WORK = 100_000;

export interface Post extends Pick<Target, 'ontology' | 'base' | 'model'> {
  readonly primary: PrimaryStore;
  readonly recordId: string;
  readonly poster: Pick<Counted, 'app' | 'quota'>;
  readonly body: Uint8Array;
  readonly format: RdfFormat;
  readonly by?: Author;
  /** Of the author, from `providerNames`. */
  readonly provider: ProviderNames;
  readonly repeatable?: Repeatable | undefined;
  /** Receives the processor time of each blocking step, in milliseconds. */
  readonly onBusy?: (ms: number) => void;
}

/**
 * Stores the statement of a body durably under a new name, or returns the name that the same request got before.
 * @returns its IRI
 * @throws Problem malformed-request for a body that is not RDF, unprocessable for one against the ontology or the
 * limits, conflict for one of another record, not-found when the record is gone, too-many-requests beyond the quota
 */
export async function postStatement(post: Post): Promise<string> {
  const { primary, base, repeatable, body, recordId } = post;
  const now = Date.now();
  const counted = { ...post.poster, record: recordId, bytes: body.byteLength };
  const known = repeatable && primary.directory.read((tx) => answeredBefore(tx, repeatable, now));
  if (known !== undefined) return base + known;
  // Check early to save work; the transaction checks again and counts.
  primary.directory.read((tx) => requireQuota(tx, counted, now));
  try {
    const { name, quads } = await prepare(post);
    const path = name.slice(base.length);
    const also = (tx: WriteTx): void => {
      requireOwner(tx, path);
      // Of two concurrent requests, the second finds the first here.
      const before = repeatable && answeredBefore(tx, repeatable, now);
      if (before !== undefined) throw new AnsweredMeanwhile(base + before);
      countPosted(tx, counted, now);
      if (repeatable) rememberAnswer(tx, repeatable, path, now);
    };
    // Serializing happens synchronously, before the write waits for its turn.
    const { written } = await timed(post, () => ({
      written: primary.write({ replace: [{ name, quads }], by: post.by }, also),
    }));
    await written;
    return name;
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return error.iri;
    throw asProblem(error);
  }
}

class AnsweredMeanwhile extends Error {
  constructor(readonly iri: string) {
    super('The same request was answered meanwhile.');
  }
}

async function prepare(post: Post): Promise<NamedGraph> {
  const { ontology, base, model, recordId, body, format } = post;
  const record = recordIri(base, recordId);
  const path = statementPathOf(model);
  if (!path?.item) throw new Error(`nothing can be posted as ${model.name}: its base path has no id`);
  const collection = `${record}/${path.segment}`;
  const name = statementIri(record, path, randomUUID());
  const knownContext = {
    iri: `${base}/context.jsonld`,
    make: () => ({ ...jsonLdContext(ontology) }),
  };
  const reading = { format, knownContext, baseIRI: `${collection}/`, doctype: 'refuse', ...limits } as const;
  const quads = await timed(post, (pause) => parseRdf(body, { ...reading, pause }));
  await setImmediate();
  const target = { ontology, base, model, record, collection };
  const stated = await timed(post, () => ({
    name,
    quads: withProvider(postedStatement(quads, name, target), name, model, post.provider),
  }));
  const titles = await storedTitles(post, record, stated);
  const graph = await timed(post, () => unifyTitles([stated], ontology, base, titles).graphs[0] ?? stated);
  await setImmediate();
  await timed(post, () =>
    refuseViolations(validateResource(ontology, namedNode(name), graph.quads, { complete: true })),
  );
  await setImmediate();
  await timed(post, () => numberBlankNodes(graph.quads, MAX_NUMBERING_WORK));
  return graph;
}

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

const MAX_PER_TURN = 20;

/** Returns the record's titles for the statement's codes, except codes that the ontology names. */
async function storedTitles(post: Post, record: string, { quads }: NamedGraph): Promise<Titles> {
  const { primary, ontology, base } = post;
  const titles: Titles = new Map();
  const codes = new Set(
    [...collectTitles(quads, base).keys()].filter((iri) => !ontology.codes.get(iri)?.title),
  );
  if (codes.size === 0) return titles;
  const names = primary.names(`${record}/`);
  for (let at = 0; at < names.length; at += MAX_PER_TURN) {
    if (at > 0) await setImmediate();
    await timed(post, () => {
      for (const name of names.slice(at, at + MAX_PER_TURN)) {
        const about = primary.graph(name)?.filter(({ subject }) => codes.has(subject.value));
        collectTitles(about ?? [], base, titles);
      }
    });
  }
  return titles;
}

function asProblem(error: unknown): unknown {
  if (error instanceof RdfSyntaxError) {
    const extra = error.line === undefined ? {} : { line: error.line };
    return new Problem('malformed-request', `The body cannot be read: ${sentence(error.reason)}`, { extra });
  }
  if (error instanceof RdfLimitError)
    return unprocessable('limit', `The body is too much: ${sentence(error.reason)}`);
  if (error instanceof InvalidGraph)
    return unprocessable('graph', 'The body holds something that cannot be kept.');
  return error;
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

const MIN_BYTES = 1024;

const DAY = 24 * 60 * 60 * 1000;

export interface Counted {
  readonly app: string;
  readonly record: string;
  readonly bytes: number;
  readonly quota: number;
}

interface Posted {
  readonly day: number;
  readonly bytes: number;
}

/** @throws Problem too-many-requests when a body exceeds the app's daily quota for the record */
export function requireQuota(tx: ReadTx, { app, record, bytes, quota }: Counted, now: number): void {
  if (postedToday(tx, { app, record }, now) + Math.max(MIN_BYTES, bytes) <= quota) return;
  const seconds = Math.ceil((DAY - (now % DAY)) / 1000);
  throw new Problem(
    'too-many-requests',
    'The app has posted as much to this record today as it may; go on after midnight UTC.',
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Counts a body in the transaction that stores it. @throws Problem like `requireQuota` */
export function countPosted(tx: WriteTx, counted: Counted, now: number): void {
  requireQuota(tx, counted, now);
  const bytes = postedToday(tx, counted, now) + Math.max(MIN_BYTES, counted.bytes);
  tx.put('posted', keyOf(counted), { day: Math.floor(now / DAY), bytes } satisfies Posted);
}

function postedToday(tx: ReadTx, owner: Pick<Counted, 'app' | 'record'>, now: number): number {
  const found = tx.get('posted', keyOf(owner)) as Posted | undefined;
  return found?.day === Math.floor(now / DAY) ? found.bytes : 0;
}

const keyOf = ({ app, record }: Pick<Counted, 'app' | 'record'>): string => `${record} ${app}`;
