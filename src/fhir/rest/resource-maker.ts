import { loadOntology, type Folders } from '../../model/ontology/directory.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { readTriples } from '../../rdf/ntriples.js';
import type { Quad } from '../../rdf/terms.js';
import { innerLabelUnder } from '../../store/relative-text.js';
import { writeJson } from '../endpoint/reading/write-json.js';
import { readMapping } from '../mapping.js';
import { exportFolders, loadExports } from '../out/export-queries.js';
import { FhirExporter, type ExportTools } from '../out/exporting.js';
import type { OriginRules } from '../out/origin-names.js';
import type { ResourceName } from '../resource-names.js';
import { indexOf, type SearchIndex } from './search-definitions.js';
import { typesMadeBy } from './served-types.js';

export interface MakerFolders {
  readonly base: string;
  readonly ontology: Folders;
  readonly mapping: Folders;
  readonly queries: Folders;
}

/** What is made: of each call the types of resources. */
export interface Makable {
  readonly calls: readonly { readonly name: string; readonly types: readonly string[] }[];
  readonly origins: OriginRules;
  /** Changes with the queries and tables that resources are made by. */
  readonly digest: string;
}

/** A stored statement, or one that it links to. */
export interface StatementSource {
  readonly name: string;
  /** Absolute N-Triples. */
  readonly text: string;
  /** The resource that it came in as. */
  readonly origin: ResourceName | undefined;
  /** The change that stored it, and when. */
  readonly revision: number;
  readonly at: number | undefined;
  /** Whether it is only linked to. */
  readonly isLinked: boolean;
}

export interface MakingTask {
  readonly recordId: string;
  readonly call: string;
  readonly sources: readonly StatementSource[];
}

/** A resource as JSON text, with what searches look for. */
export interface MadeResource extends ResourceName {
  readonly statement: string;
  readonly text: string;
  readonly revision: number;
  readonly at: number | undefined;
  readonly index: SearchIndex;
}

/** Makes resources of the statements that it is given; it has no store. */
export class ResourceMaker {
  #sources = new Map<string, StatementSource>();
  readonly #exporter: FhirExporter;

  private constructor(
    readonly makable: Makable,
    tools: Pick<ExportTools, 'queries' | 'mapping' | 'ontology'>,
    base: string,
  ) {
    const innerLabel = innerLabelUnder(base);
    const graph = (name: string): Quad[] | undefined => {
      const { text = '' } = this.#sources.get(name) ?? {};
      return text === '' ? undefined : readTriples(text, innerLabel);
    };
    this.#exporter = new FhirExporter({
      ...tools,
      originOf: (name) => this.#sources.get(name)?.origin,
      primary: { base, graph, names: () => [...this.#sources.keys()] },
    });
  }

  /** @throws QueriesError, MappingError when a query or table cannot be used */
  static async open(folders: MakerFolders): Promise<ResourceMaker> {
    const { ontology } = await loadOntology(folders.ontology);
    const mapping = await readMapping(folders.mapping, ontology);
    const queries = await loadExports(exportFolders(folders.queries), ontology);
    const calls = Array.from(queries, ([name, query]) => ({ name, types: typesMadeBy(query) }));
    const makers = mapping.makers.map(({ path, sources }) => ({ path, sources }));
    const origins = { makers, plainTypes: mapping.plainTypes };
    const texts = Array.from(queries.values(), ({ text }) => text);
    const digest = hexDigest([...texts, ...mapping.versions.values()].join('\0'));
    return new ResourceMaker({ calls, origins, digest }, { queries, mapping, ontology }, folders.base);
  }

  /** Runs the export query of one call. */
  make({ recordId, call, sources }: MakingTask): MadeResource[] {
    this.#sources = new Map(sources.map((source) => [source.name, source]));
    const asked = sources.filter(({ isLinked, text }) => !isLinked && text !== '').map(({ name }) => name);
    const made = this.#exporter.resources(recordId, asked, [call]);
    return made.flatMap((resource) => {
      const [type, id] = [String(resource['resourceType']), String(resource['id'])];
      const statement = this.#exporter.statements.get(`${type}/${id}`) ?? '';
      const { revision, at } = this.#sources.get(statement) ?? {};
      if (revision === undefined) return [];
      const lastUpdated = at === undefined ? {} : { lastUpdated: new Date(at).toISOString() };
      const meta = JSON.stringify({ versionId: String(revision), ...lastUpdated });
      const head = JSON.stringify({ resourceType: type, id }).slice(0, -1);
      const text = `${head},"meta":${meta}${writeJson(resource).slice(head.length)}`;
      return [{ type, id, statement, text, revision, at, index: indexOf(resource) }];
    });
  }
}
