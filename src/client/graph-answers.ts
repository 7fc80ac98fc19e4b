import RdfjsDataset from '@rdfjs/dataset/DatasetCore.js';
import type { DatasetCore } from '@rdfjs/types';
import { Graph } from '../model/ontology/graph.js';
import { namedNode, type Quad, type Term } from '../rdf/terms.js';
import { rdf, api } from '../rdf/vocabulary.js';
import type { GraphAnswer, ListAnswer, NotModified, ObjectAnswer, PostedAnswer } from './answer-types.js';
import { draftGraph } from './draft-graph.js';
import { rdfBody, type Body } from './request-body.js';
import { answerOf, notModified, requestOf, textOf, type MadeCall, type Tools } from './call.js';
import { ChartgraphError } from './chartgraph-error.js';
import { ObjectReader } from './object-reader.js';
import { acceptField, readGraph } from './graph-format.js';
import type { OutgoingRequest, Received } from './send.js';
import { parseUrl } from '../rdf/parse-url.js';

interface ReceivedGraph {
  readonly received: Received;
  readonly quads: Quad[];
  readonly raw: string;
  readonly graph: Graph;
  readonly reader: ObjectReader;
  readonly found: readonly Term[];
}

/** Returns a graph without objects, when the ontology does not say what is in it. */
export async function answerGraph(tools: Tools, call: MadeCall): Promise<GraphAnswer | NotModified> {
  const got = await receive(tools, call);
  return 'notModified' in got ? got : answerWith(got, {});
}

/** Returns the addressed thing; undefined for something that every record may have and this one lacks. */
export async function answerObject(
  tools: Tools,
  call: MadeCall,
): Promise<ObjectAnswer<unknown> | NotModified> {
  const got = await receive(tools, call);
  return 'notModified' in got ? got : answerWith(got, oneObject(call, got, got.received.url));
}

export async function answerPosted(tools: Tools, call: MadeCall): Promise<PostedAnswer<unknown>> {
  const { options } = call;
  const got = await receive(tools, call, {
    ...postedBody(tools, call),
    headers: { 'Idempotency-Key': options.idempotencyKey },
  });
  if ('notModified' in got) throw new ChartgraphError('answer', call.name, 'the answer is a 304.');
  const location = got.received.response.headers.get('Location') ?? undefined;
  return answerWith(got, { ...oneObject(call, got, location), location });
}

export async function answerList(tools: Tools, call: MadeCall): Promise<ListAnswer<unknown> | NotModified> {
  const got = await receive(tools, call);
  if ('notModified' in got) return got;
  const { graph, reader, found, received } = got;
  const summary = readSummary(graph, found, received.response.headers.get('Link'));
  const objects = summary.order.flatMap((node) => reader.object(node, call.row.classes) ?? []);
  const { next: query } = summary;
  const next = async (): Promise<ListAnswer<unknown> | undefined> => {
    if (query === undefined) return undefined;
    const address = call.address.replace(/\?.*$/s, '') + query;
    const page = await answerList(tools, { ...call, address, options: { signal: call.options.signal } });
    return page.notModified ? undefined : page;
  };
  const list: ListAnswer<unknown> = answerWith(got, {
    objects,
    faults: reader.faults,
    total: summary.total,
    hasNext: query !== undefined,
    next,
    async *pages() {
      for (let page: ListAnswer<unknown> | undefined = list; page; page = await page.next()) yield page;
    },
    async *items() {
      for await (const page of list.pages()) yield* page.objects;
    },
  });
  return list;
}

/** Returns RDF as given, or the graph of a plain object. @throws TypeError for what the ontology does not allow */
function postedBody({ shapes }: Tools, { name, row, body, options }: MadeCall): Body {
  const isRdf =
    typeof body === 'string' || (typeof body === 'object' && body !== null && Symbol.iterator in body);
  return rdfBody(
    isRdf ? body : draftGraph(name, body, { shapes, classes: row.classes }),
    options.contentType,
  );
}

function oneObject(
  { name, row }: MadeCall,
  { reader, found, quads }: ReceivedGraph,
  iri: string | undefined,
): Omit<ObjectAnswer<unknown>, keyof GraphAnswer> {
  const named = iri === undefined ? undefined : reader.object(namedNode(iri), row.classes);
  // A container behind another address names things by its own, so this takes the only thing of the class.
  const [only, ...others] = found;
  const object = named ?? (only && others.length === 0 ? reader.object(only, row.classes) : undefined);
  const isAbsent = row.mayBeAbsent && quads.length === 0;
  if (!object && !isAbsent)
    throw new ChartgraphError('answer', name, `the answer has no ${row.classes.join(' or ')}.`);
  return { object, faults: reader.faults };
}

async function receive(
  tools: Tools,
  call: MadeCall,
  more: Partial<OutgoingRequest> = {},
): Promise<ReceivedGraph | NotModified> {
  const headers = { Accept: acceptField(tools.format), ...more.headers };
  const received = await tools.send(requestOf(call, { ...more, headers }));
  const unchanged = notModified(received);
  if (unchanged) return unchanged;
  const raw = textOf(call, received);
  const { mediaType } = answerOf(received);
  const quads = readGraph(call.name, raw, { mediaType, url: received.url, wanted: tools.format });
  const graph = new Graph(quads);
  return {
    received,
    quads,
    raw,
    graph,
    reader: new ObjectReader(graph, tools.shapes),
    found: membersOf(tools, call, quads),
  };
}

/** Completes an answer. Its dataset is built on first use, because that takes longer than everything else. */
function answerWith<T extends object>({ received, quads, raw }: ReceivedGraph, more: T): GraphAnswer & T {
  let dataset: DatasetCore | undefined;
  return {
    ...answerOf(received),
    raw,
    get dataset() {
      return (dataset ??= new RdfjsDataset(quads));
    },
    ...more,
  };
}

function membersOf({ shapes }: Tools, { row }: MadeCall, quads: readonly Quad[]): Term[] {
  const classes = new Set(row.classes.flatMap((name) => shapes.byName.get(name)?.iri ?? []));
  const members = new Map<string, Term>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === rdf.type && classes.has(object.value)) members.set(subject.value, subject);
  }
  return [...members.values()];
}

interface Summary {
  readonly total: number | undefined;
  readonly order: readonly Term[];
  readonly next: string | undefined;
}

/** Reads the api:ResponseSummary of a list. @param found and @param link are used when there is none */
function readSummary(graph: Graph, found: readonly Term[], link: string | null): Summary {
  const summary = [...graph.subjects()].find((key) => graph.hasType(key, api.ResponseSummary));
  const [next, total, head] = [api.nextPageURL, api.totalResultCount, api.resultOrder].map((property) =>
    summary === undefined ? undefined : graph.objects(summary, property)[0],
  );
  return {
    total: total && Number(total.value),
    order: head ? graph.list(head) : found,
    next: queryOf(next?.value ?? /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1]),
  };
}

/** Takes only the query: the settings decide where requests go, never an answer. */
function queryOf(url: string | undefined): string | undefined {
  // The base does not matter, because only the query is used.
  const anywhere = 'http://localhost';
  return url === undefined ? undefined : parseUrl(url, anywhere)?.search;
}
