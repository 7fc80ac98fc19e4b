import type { WriteTx } from '../../disk/data-directory.js';
import type { ContentKey, DocumentStore } from '../../disk/document-files.js';
import type { Ontology } from '../../ontology/model.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { recordPath } from '../resource-paths.js';
import { contentKeyOf, withContentKey, withoutContentKey } from './content-key.js';
import type { FileSource } from './folder-source.js';

/** What documents are given their files from. */
export interface AttachOptions {
  readonly ontology: Ontology;
  readonly base: string;
  readonly store: Pick<DocumentStore, 'put' | 'has'>;
  /** Where the files are; without it only documents that have one already keep it. */
  readonly source?: FileSource | undefined;
  /** What is stored of a graph at present. */
  readonly stored: (name: string) => readonly Quad[] | undefined;
}

/** Graphs whose documents refer to their files. */
export interface Attached {
  readonly graphs: readonly NamedGraph[];
  /** Documents, as `name: sentence`, for which the source has no file. */
  readonly missing: readonly string[];
  /** Documents without a file for want of a source. */
  readonly without: number;
  /** To be called in the transaction that stores the graphs. @throws ContentSwept */
  readonly check: (tx: WriteTx) => void;
}

/** A file was swept between being put and being referred to; put it again. */
export class ContentSwept extends Error {
  constructor() {
    super('A file was removed while its document was being stored.');
    this.name = 'ContentSwept';
  }
}

/**
 * Gives each document of the graphs the file that its file name means. References in the graphs themselves are not
 * believed: whoever could write one could read another document by its hash.
 * @throws FileRefused
 */
export async function attachFiles(graphs: readonly NamedGraph[], options: AttachOptions): Promise<Attached> {
  const { ontology, base, store, source, stored } = options;
  const sources = generatingProperties(ontology);
  const attached: NamedGraph[] = [];
  const missing: string[] = [];
  const put: ContentKey[] = [];
  let without = 0;
  for (const { name, quads } of graphs) {
    const clean = withoutContentKey(quads);
    const fileName = fileNameOf(clean, name, sources);
    let key: ContentKey | undefined;
    if (fileName !== undefined) {
      const folders = [recordPath(name, base)?.recordId ?? '', ''];
      key = await source?.take(fileName, folders, store);
      if (key) put.push(key);
      else if (source) missing.push(`${name}: There is no file ${JSON.stringify(fileName)}.`);
      key ??= keptFile(stored(name), name, fileName, sources);
      if (!key && !source) without++;
    }
    attached.push({ name, quads: key ? withContentKey(clean, name, key) : clean });
  }
  const check = (): void => {
    if (!put.every(({ sha256 }) => store.has(sha256))) throw new ContentSwept();
  };
  return { graphs: attached, missing, without, check };
}

/** The properties of which the ontology says that others are generated from them. */
function generatingProperties(ontology: Ontology): ReadonlySet<string> {
  return new Set([...ontology.properties.values()].flatMap(({ generatedFrom = [] }) => generatedFrom));
}

function fileNameOf(quads: readonly Quad[], iri: string, sources: ReadonlySet<string>): string | undefined {
  return quads.find(
    ({ subject, predicate, object }) =>
      subject.value === iri && sources.has(predicate.value) && object.termType === 'Literal',
  )?.object.value;
}

/** A document that is loaded again under the same file name keeps its file. */
function keptFile(
  quads: readonly Quad[] | undefined,
  iri: string,
  fileName: string,
  sources: ReadonlySet<string>,
): ContentKey | undefined {
  if (!quads || fileNameOf(quads, iri, sources) !== fileName) return undefined;
  return contentKeyOf(quads, namedNode(iri));
}
