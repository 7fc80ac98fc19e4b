import { Parser } from 'n3';
import type { Quad } from '@rdfjs/types';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import type { Quad as OwnQuad } from '../../src/rdf/terms.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import type { TestContainer } from './container.js';
import { readRdfXml } from './rdfxml.js';

const heading = Object.entries(prefixes)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`)
  .join('\n');

/**
 * Writes a record into the data of a running container, as another process would: `statements` by their path below
 * the record, in Turtle that says `<>` for the statement; it gets its sp:belongsTo.
 */
export async function writeRecord(
  { data, store, url }: TestContainer,
  record: string,
  statements: Readonly<Record<string, string>>,
): Promise<void> {
  const iri = `${url}/records/${record}`;
  const graph = (name: string, text: string): NamedGraph => {
    const quads = new Parser({ baseIRI: name }).parse(`${heading}\n${text}`);
    return { name, quads: quads as unknown as OwnQuad[] };
  };
  const graphs = Object.entries(statements).map(([path, text]) =>
    graph(`${iri}/${path}`, `<> sp:belongsTo <${iri}> . ${text}`),
  );
  const directory = await openDataDirectory(data, { store });
  try {
    await openPrimaryStore(directory, url).write({
      removeUnder: [iri],
      replace: [graph(iri, '<> a sp:MedicalRecord .'), ...graphs],
    });
  } finally {
    await directory.close();
  }
}

/** What an answer says of its list, read by a parser that is not ours. */
export interface ReadList {
  readonly quads: Quad[];
  /** The last segment of each IRI in api:resultOrder. */
  readonly order: string[];
  readonly total: number;
  readonly returned: number;
  readonly next: string | undefined;
}

/** Reads a list with its one summary; throws where there is not exactly one. */
export async function readListAnswer(response: Response): Promise<ReadList> {
  const quads = await readRdfXml(await response.text());
  const value = (subject: string, property: string): string | undefined =>
    quads.find((quad) => quad.subject.value === subject && quad.predicate.value === property)?.object.value;
  const summaries = quads.filter(({ object }) => object.value === `${prefixes.api}ResponseSummary`);
  const summary = summaries[0]?.subject.value;
  if (summary === undefined || summaries.length !== 1) throw new Error(`${summaries.length} summaries`);
  const order: string[] = [];
  let cell = value(summary, `${prefixes.api}resultOrder`);
  while (cell !== undefined && cell !== `${prefixes.rdf}nil`) {
    order.push(value(cell, `${prefixes.rdf}first`)?.replace(/^.*\//, '') ?? '');
    cell = value(cell, `${prefixes.rdf}rest`);
  }
  return {
    quads,
    order,
    total: Number(value(summary, `${prefixes.api}totalResultCount`)),
    returned: Number(value(summary, `${prefixes.api}resultsReturned`)),
    next: value(summary, `${prefixes.api}nextPageURL`),
  };
}
