import { loadOntology, type Folders } from '../../model/ontology/directory.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { writeJson } from '../endpoint/reading/write-json.js';
import { readMapping } from '../mapping.js';
import { exportFolders, loadExports } from '../out/export-queries.js';
import { FhirExporter, type StatementSource } from '../out/exporting.js';
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

/** A statement, with the change that stored it, and when. */
export interface ChangedSource extends StatementSource {
  readonly revision: number;
  readonly at: number | undefined;
}

export interface MakingTask {
  readonly recordId: string;
  readonly call: string;
  readonly sources: readonly ChangedSource[];
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
  private constructor(
    readonly makable: Makable,
    private readonly exporter: FhirExporter,
  ) {}

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
    const exporter = new FhirExporter({ queries, mapping, ontology, base: folders.base });
    return new ResourceMaker({ calls, origins, digest }, exporter);
  }

  /** Runs the export query of one call. */
  make({ recordId, call, sources }: MakingTask): MadeResource[] {
    return this.exporter.resources(recordId, call, sources).map(({ source, resource }) => {
      const [type, id] = [String(resource['resourceType']), String(resource['id'])];
      const { name: statement, revision, at } = source;
      const lastUpdated = at === undefined ? {} : { lastUpdated: new Date(at).toISOString() };
      const meta = JSON.stringify({ versionId: String(revision), ...lastUpdated });
      const head = JSON.stringify({ resourceType: type, id }).slice(0, -1);
      const text = `${head},"meta":${meta}${writeJson(resource).slice(head.length)}`;
      return { type, id, statement, text, revision, at, index: indexOf(resource) };
    });
  }
}
