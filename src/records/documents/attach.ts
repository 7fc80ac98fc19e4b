import type { WriteTx } from '../../store/disk/data-directory.js';
import type { ContentKey, DocumentStore } from '../../store/documents/document-files.js';
import type { Ontology } from '../../model/ontology/model.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { recordPath } from '../resource-paths.js';
import { contentKeyOf, withContentKey, withoutContentKey } from './content-key.js';
import type { FileSource } from './folder-source.js';

const MAX_CONCURRENT = 16;

export interface AttachOptions {
  readonly ontology: Ontology;
  readonly base: string;
  readonly store: Pick<DocumentStore, 'put' | 'has'>;
  readonly source?: FileSource | undefined;
  readonly stored: (name: string) => readonly Quad[] | undefined;
}

export type Attached = Awaited<ReturnType<typeof attachFiles>>;

/** A file was swept between being stored and being referenced; store it again. */
export class ContentSwept extends Error {
  constructor() {
    super('A file was removed while its document was being stored.');
    this.name = 'ContentSwept';
  }
}

/**
 * Attaches to each document the file that it names. Ignores references in the input, which would let a writer read
 * another document by its hash.
 * @throws FileRefused
 */
export async function attachFiles(graphs: readonly NamedGraph[], options: AttachOptions) {
  const { ontology, base, store, source, stored } = options;
  const sources = new Set(
    [...ontology.properties.values()].flatMap(({ generatedFrom = [] }) => generatedFrom),
  );
  const take = async ({ name, quads }: NamedGraph) => {
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
  const taken = await inTurns(graphs, take);
  const put = taken.flatMap((each) => each.put ?? []);
  /** Call in the transaction that stores the graphs. @throws ContentSwept */
  const check: (tx: WriteTx) => void = () => {
    if (!put.every(({ sha256 }) => store.has(sha256))) throw new ContentSwept();
  };
  return {
    graphs: taken.map(({ graph }): NamedGraph => graph),
    /** A `name: sentence` for each document without a file in the source. */
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

/** Maps a list concurrently until one item fails; throws the first error in list order. */
async function inTurns<Item, Done>(
  items: readonly Item[],
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
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, lane));
  const [first] = failed.sort((a, b) => a.at - b.at);
  if (first) throw first.error;
  return done;
}

function fileNameOf(quads: readonly Quad[], iri: string, sources: ReadonlySet<string>): string | undefined {
  return quads.find(
    ({ subject, predicate, object }) =>
      subject.value === iri && sources.has(predicate.value) && object.termType === 'Literal',
  )?.object.value;
}

/** A document loaded again under the same file name keeps its file. */
function keptFile(
  quads: readonly Quad[] | undefined,
  iri: string,
  fileName: string,
  sources: ReadonlySet<string>,
): ContentKey | undefined {
  if (!quads || fileNameOf(quads, iri, sources) !== fileName) return undefined;
  return contentKeyOf(quads, namedNode(iri));
}
