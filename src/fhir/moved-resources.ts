import { isDeepStrictEqual } from 'node:util';
import type { WriteTx } from '../disk/data-directory.js';
import { homesOf, setHomes, type Home } from '../records/resource-homes.js';
import { recordIri, statementIri, type StatementPath } from '../records/resource-paths.js';
import { pathOf } from '../store/paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './fhir-batch.js';
import { nameOf, placeOf, type FhirResource, type ResourceName } from './fhir-resources.js';
import type { Gone } from './gone-statements.js';
import type { ImportTally } from './import-tally.js';
import type { KeptSources } from './kept-sources.js';
import type { Mapping } from './mapping.js';
import { recordsHaveIds, type RecordIdOptions } from './record-ids.js';
import type { MadeStatement } from './statement-graphs.js';

/** So many statements are taken out in one change: others wait for it. */
const AT_ONCE = 2000;

/** A resource with statements in other records than that of its patient. */
interface Moved {
  readonly resource: ResourceName;
  /** That of the file which said last whose it is. */
  readonly tally: ImportTally;
  readonly place: string;
  /** Whose it is now; undefined where no record is known. */
  readonly recordId: string | undefined;
}

/**
 * Resources that were corrected to another patient. The container remembers in which records the statements of each
 * resource stand, so that one that is loaded finds those in other records by one look-up, however many records there are.
 *
 * Ids are only unique within one server, and no resource says where it comes from. So the other statement can be that of
 * another hospital, and true. It is taken out only where the resource is told to be the same: records have the ids of
 * their patients, as they do for what comes from one server, and what is loaded has the patient of the other record, too.
 * Everything else is told.
 */
export class MovedResources {
  readonly #patients = new Map<ImportTally, Set<string>>();
  readonly #moved = new Map<string, Moved>();
  readonly #hasPatientIds: boolean;

  constructor(
    private readonly options: RecordIdOptions & {
      readonly primary: PrimaryStore;
      readonly base: string;
      readonly mapping: Mapping;
    },
    private readonly sources: KeptSources,
  ) {
    this.#hasPatientIds = recordsHaveIds(options);
  }

  /** Remembers that a file has a patient. */
  learn({ id }: FhirResource, tally: ImportTally): void {
    const known = this.#patients.get(tally);
    if (known) known.add(id);
    else this.#patients.set(tally, new Set([id]));
  }

  /** Enters where the statements of a batch stand, in the transaction that stores them. */
  enter(tx: WriteTx, { resources, recordOf }: MappedBatch, made: readonly MadeStatement[]): void {
    const segments = new Map<string, Set<string>>();
    for (const { resource, query } of made)
      segments.set(resource, (segments.get(resource) ?? new Set()).add(query.path.segment));
    for (const [iri, { resource, tally, patient }] of resources) {
      const recordId = patient === undefined ? undefined : recordOf(patient);
      const known = homesOf(tx, nameOf(resource));
      const others = known.filter(([record]) => record !== recordId);
      // Whose it is may change within a load, too: the last one counts.
      if (others.length === 0) this.#moved.delete(iri);
      else {
        const { type, id } = resource;
        this.#moved.set(iri, { resource: { type, id }, tally, place: placeOf(resource), recordId });
      }
      if (recordId === undefined) continue;
      const own = [...(segments.get(iri) ?? [])]
        .sort()
        .map((segment): Home => [recordId, segment, this.#hasPatientIds]);
      changeHomes(tx, resource, known, [...others, ...own]);
    }
  }

  /**
   * Takes out of other records what is told to be of the patients of this load, and tells of the rest. All has to have been
   * read: the patient of a record may come last.
   * @param stored the files of the statements that this load has stored
   * @returns what was taken out
   * @throws what the store throws
   */
  async takeOut(stored: ReadonlyMap<string, ImportTally>): Promise<Gone[]> {
    const gone = [...this.#moved.values()].flatMap((moved) => this.#goneOf(moved, stored));
    for (let start = 0; start < gone.length; start += AT_ONCE) {
      const some = gone.slice(start, start + AT_ONCE);
      await this.options.primary.write({ remove: some.map(({ name }) => name) }, (tx) => {
        for (const { resource } of some) this.#forget(tx, resource);
      });
    }
    return gone;
  }

  #goneOf(moved: Moved, stored: ReadonlyMap<string, ImportTally>): Gone[] {
    const { primary } = this.options;
    const { resource, tally, place } = moved;
    const names = new Map<string, string>();
    for (const home of primary.directory.read((tx) => homesOf(tx, nameOf(resource)))) {
      const [recordId, segment] = home;
      const name = this.#statementOf(resource, home);
      if (recordId === moved.recordId || name === undefined || !primary.has(name)) continue;
      // What a record has only one of may be of another resource by now.
      const isOne = this.#pathOf(resource, segment)?.item !== true;
      if (isOne || !this.#isSame(moved, home, stored.get(name))) {
        tally.saw('elsewhere', `${nameOf(resource)} in record ${recordId}`, place);
        continue;
      }
      names.set(name, recordId);
      const source = this.sources.nameOf(recordId, resource);
      if (source !== undefined && primary.has(source)) names.set(source, recordId);
    }
    return Array.from(names, ([name, recordId]) => ({ name, recordId, resource, tally }));
  }

  /** Forgets where a resource stands no more, in the transaction that takes it out. */
  #forget(tx: WriteTx, resource: ResourceName): void {
    const known = homesOf(tx, nameOf(resource));
    const left = known.filter((home) => {
      const name = this.#statementOf(resource, home);
      return name !== undefined && tx.has('graphs', pathOf(name, this.options.base));
    });
    changeHomes(tx, resource, known, left);
  }

  /**
   * Whether a statement in another record is told to be of the very resource that is loaded.
   * @param storedBy the file that it is from, where this load has stored it
   */
  #isSame(
    { resource, tally, recordId }: Moved,
    [other, segment, hadPatientId]: Home,
    storedBy?: ImportTally,
  ): boolean {
    if (!hadPatientId || !this.#hasPatientIds || recordId === undefined) return false;
    // Files of two servers can come in one load, or be put together: then the newer one has to know both patients.
    const files = storedBy ? [tally] : [...this.#patients.keys()];
    const knowsBoth = files.some((file) => file !== storedBy && this.#patients.get(file)?.has(other));
    return knowsBoth && !this.#hasNamesake(resource, other, segment);
  }

  /** Whether the statement can be of a resource of another type with the same id: of a prescription, or an intake. */
  #hasNamesake({ type, id }: ResourceName, record: string, segment: string): boolean {
    const types = this.options.mapping.queries
      .filter(({ path }) => path.segment === segment)
      .flatMap(({ sources }) => sources);
    return types.some(
      (each) =>
        each !== type &&
        this.options.primary.directory
          .read((tx) => homesOf(tx, nameOf({ type: each, id })))
          .some(([other, at]) => other === record && at === segment),
    );
  }

  #statementOf(resource: ResourceName, [recordId, segment]: Home): string | undefined {
    const path = this.#pathOf(resource, segment);
    return path && statementIri(recordIri(this.options.base, recordId), path, resource.id);
  }

  #pathOf({ type }: Pick<FhirResource, 'type'>, segment: string): StatementPath | undefined {
    return this.options.mapping.queries.find(
      ({ path, sources }) => path.segment === segment && sources.includes(type),
    )?.path;
  }
}

/** Nothing is written where nothing changes: a load that is repeated costs no write. */
function changeHomes(
  tx: WriteTx,
  resource: ResourceName,
  known: readonly Home[],
  homes: readonly Home[],
): void {
  if (!isDeepStrictEqual(known, homes)) setHomes(tx, nameOf(resource), homes);
}
