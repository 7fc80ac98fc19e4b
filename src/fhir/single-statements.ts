import type { WriteTx } from '../store/disk/data-directory.js';
import { recordIri, statementIri } from '../records/resource-paths.js';
import { enterOrigin, forgetOrigins, originOf } from '../records/statement-origins.js';
import { pathOf } from '../store/paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { BatchResource, MappedBatch } from './batch-resource.js';
import { nameOf, partsOf } from './resource-names.js';
import type { Gone } from './gone-statements.js';
import type { Mapping, MappingQuery, StatementMaker } from './mapping.js';
import type { MadeStatement } from './statement-graphs.js';

/**
 * Statements that a record has only once, such as the smoking status. The query chooses its resource among all that were
 * read. The name of such a statement does not show the resource, so the container remembers it: the statement goes when
 * that resource no longer gives one.
 */
export class SingleStatements {
  readonly queries: readonly MappingQuery[];
  readonly #candidates = new Map<string, BatchResource>();
  readonly #gone = new Map<string, Gone>();

  constructor(
    private readonly options: {
      readonly primary: PrimaryStore;
      readonly base: string;
      readonly mapping: Mapping;
    },
  ) {
    this.queries = options.mapping.queries.filter(isSingle);
  }

  /** The resources that the queries decide over. */
  get candidates(): Iterable<BatchResource> {
    return this.#candidates.values();
  }

  /** Whether there is anything to decide after everything has been read. */
  get isOpen(): boolean {
    return this.#candidates.size + this.#gone.size > 0;
  }

  /** Holds back such statements of a batch. @returns the others */
  hold(batch: MappedBatch, made: readonly MadeStatement[]): MadeStatement[] {
    const giving = new Set(made.filter(({ query }) => isSingle(query)).map(({ resource }) => resource));
    for (const [iri, found] of batch.resources) {
      // Of several versions the last one counts.
      if (giving.has(iri)) this.#candidates.set(iri, found);
      else this.#candidates.delete(iri);
    }
    this.#look(batch, giving);
    return made.filter(({ query }) => !isSingle(query));
  }

  /** Returns statements of resources that no longer give one, unless another resource has made one. */
  gone(made: readonly MadeStatement[]): Gone[] {
    const names = new Set(made.map(({ graph }) => graph.name));
    return [...this.#gone.values()].filter(({ name }) => !names.has(name));
  }

  /** Stores the resources of statements, in the transaction that stores these and removes others. */
  enter(tx: WriteTx, stored: readonly MadeStatement[], gone: readonly Gone[]): void {
    for (const { name } of gone) forgetOrigins(tx, this.#pathOf(name));
    for (const { graph, resource } of stored) {
      const named = partsOf(resource);
      if (named) enterOrigin(tx, this.#pathOf(graph.name), nameOf(named));
    }
  }

  /** Notes the statements of resources of a batch that make none now. */
  #look({ resources, recordOf }: MappedBatch, giving: ReadonlySet<string>): void {
    const { primary, base } = this.options;
    const origins = new Map<string, string | undefined>();
    primary.directory.read((tx) => {
      for (const [iri, { resource, patient, tally }] of resources) {
        const recordId = patient === undefined ? undefined : recordOf(patient, resource.iri);
        if (recordId === undefined) continue;
        for (const { sources, path } of this.queries) {
          if (!sources.includes(resource.type)) continue;
          const name = statementIri(recordIri(base, recordId), path, resource.id);
          if (!origins.has(name)) origins.set(name, originOf(tx, this.#pathOf(name)));
          if (origins.get(name) !== nameOf(resource)) continue;
          if (giving.has(iri)) this.#gone.delete(name);
          else this.#gone.set(name, { name, recordId, resource, tally });
        }
      }
    });
  }

  #pathOf(name: string): string {
    return pathOf(name, this.options.base);
  }
}

/** Whether a record has one statement of the kind, of whatever resource. */
function isSingle({ path, patient }: StatementMaker): boolean {
  return !path.item && patient.length > 0;
}
