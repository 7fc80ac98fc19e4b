import type { WriteTx } from '../../disk/data-directory.js';
import type { ContentKey, DocumentStore } from '../../disk/document-files.js';
import type { Ontology } from '../../ontology/model.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { recordPath } from '../resource-paths.js';
import { contentKeyOf, withContentKey, withoutContentKey } from './content-key.js';
import type { FileSource } from './folder-source.js';

/** Files that are put at the same time: each waits for the disk most of the time. */
const AT_ONCE = 16;

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
  const take = async ({ name, quads }: NamedGraph): Promise<Taken> => {
    const clean = withoutContentKey(quads);
    const fileName = fileNameOf(clean, name, sources);
    if (fileName === undefined) return { graph: { name, quads: clean } };
    const recordId = recordPath(name, base)?.recordId ?? '';
    const folders = [recordId, ''];
    const put = await source?.take(fileName, folders, store);
    const key = put ?? keptFile(stored(name), name, fileName, sources);
    return {
      graph: { name, quads: key ? withContentKey(clean, name, key) : clean },
      put,
      missing: source && !put ? `${name}: ${noFile(fileName, recordId)}` : undefined,
      isWithout: !key && !source,
    };
  };
  const taken = await inTurns(graphs, AT_ONCE, take);
  const put = taken.flatMap((each) => each.put ?? []);
  const check = (): void => {
    if (!put.every(({ sha256 }) => store.has(sha256))) throw new ContentSwept();
  };
  return {
    graphs: taken.map(({ graph }) => graph),
    missing: taken.flatMap(({ missing }) => missing ?? []),
    without: taken.filter(({ isWithout }) => isWithout).length,
    check,
  };
}

function noFile(fileName: string, recordId: string): string {
  const sentence = `There is no file ${JSON.stringify(fileName)}`;
  return fileName.includes('/')
    ? `${sentence} in the folder of record ${recordId}; a name with folders is looked for only there.`
    : `${sentence}.`;
}

/** What became of one graph. */
interface Taken {
  readonly graph: NamedGraph;
  readonly put?: ContentKey | undefined;
  readonly missing?: string | undefined;
  readonly isWithout?: boolean;
}

/**
 * Does something with each of a list, a few at a time. Where one fails nothing more is begun, and what has begun ends
 * before the error of the first in the list is thrown.
 */
async function inTurns<Item, Done>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  const failed: { at: number; error: unknown }[] = [];
  const entries = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of entries) {
      if (failed.length > 0) return;
      try {
        done[at] = await act(item);
      } catch (error) {
        failed.push({ at, error });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const [first] = failed.sort((a, b) => a.at - b.at);
  if (first) throw first.error;
  return done;
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
