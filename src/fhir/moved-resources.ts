import type { WriteTx } from '../store/disk/data-directory.js';
import { knownOf, originOf, type KnownResource, type ResourceVersion } from '../records/statement-origins.js';
import { recordIri } from '../records/resource-paths.js';
import { pathOf } from '../store/paths.js';
import { revisionOf } from '../store/change-log.js';
import type { MappedBatch } from './batch-resource.js';
import { placeOf, type FhirResource } from './fhir-resources.js';
import { nameOf, type ResourceName } from './resource-names.js';
import type { Gone } from './gone-statements.js';
import type { ImportTally } from './import-tally.js';
import type { KeptSources } from './kept-sources.js';
import { changeKnown, VersionCounts } from './mapping-versions.js';
import { recordsHaveIds } from './record-ids.js';
import { StatementHomes, type Home } from './statement-homes.js';
import { isOther, UnchangedResources, type MovedOptions } from './unchanged-resources.js';
import type { MadeStatement } from './statement-graphs.js';

/** The most statements removed in one change, since others wait for it. */
const AT_ONCE = 2000;

/** A resource with statements in other records than that of its patient. */
interface Moved {
  readonly resource: Pick<FhirResource, 'type' | 'id' | 'source'>;
  /** The tally of the file that last said whose it is. */
  readonly tally: ImportTally;
  readonly place: string;
  /** Whose it is now; undefined if the record is unknown. */
  readonly recordId: string | undefined;
  readonly isDeleted: boolean;
}

/**
 * Resources that were deleted, or corrected to another patient. The container remembers which records have statements
 * of each resource, so one look-up finds those in other records, however many there are.
 *
 * Ids are only unique within one server, and few resources say where they come from. So the other statement may come
 * from another hospital, and be true. It is removed only if the resource is certainly the same: it names the same
 * server; or records have the ids of their patients, as with data from one server, and it was deleted, or the load also
 * has the patient of the other record. Everything else is reported.
 */
export class MovedResources {
  readonly #patients = new Map<ImportTally, Set<string>>();
  readonly #moved = new Map<string, Moved>();
  readonly #hasPatientIds: boolean;
  readonly #types: ReadonlySet<string>;
  readonly #homes: StatementHomes;
  readonly unchanged: UnchangedResources;

  constructor(
    private readonly options: MovedOptions,
    private readonly sources: KeptSources,
  ) {
    this.#hasPatientIds = recordsHaveIds(options);
    this.#types = new Set(options.mapping.queries.flatMap((query) => query.sources));
    this.#homes = new StatementHomes(options);
    this.unchanged = new UnchangedResources(options, this.#homes, this.#hasPatientIds);
  }

  /** Remembers that a file has a patient. */
  learn({ id }: FhirResource, tally: ImportTally): void {
    const known = this.#patients.get(tally);
    if (known) known.add(id);
    else this.#patients.set(tally, new Set([id]));
  }

  /** Returns the container's versions of this very resource. @param recordId that of its patient, if known */
  versionsOf(resource: FhirResource, recordId: string | undefined): ResourceVersion[] {
    if (!this.#types.has(resource.type)) return [];
    const { primary, base } = this.options;
    return primary.directory
      .read((tx) => knownOf(tx, nameOf(resource)))
      .filter(
        (known) =>
          !isOther(resource, known) &&
          (known.recordId === recordId || (known.hasPatientId && this.#hasPatientIds)) &&
          // Statements of a removed record may come back.
          (known.recordId === '' || primary.has(recordIri(base, known.recordId))),
      );
  }

  /** Returns the record of an earlier loaded resource, if it surely comes from the server of this load. */
  recordOf(name: string): string | undefined {
    const known = this.options.primary.directory.read((tx) => knownOf(tx, name));
    const [only, ...others] = known.filter(({ recordId }) => recordId !== '');
    return only?.hasPatientId && this.#hasPatientIds && others.length === 0 ? only.recordId : undefined;
  }

  /**
   * Enters what is known of the resources of a batch, in the transaction that stores what was made of them.
   * @param stored names of the statements that are stored
   * @param reasons why resources gave no statement
   * @param isKnown whether a statement is there
   */
  enter(
    tx: WriteTx,
    { resources, recordOf }: MappedBatch,
    made: readonly MadeStatement[],
    isKnown: (name: string) => boolean,
    stored: ReadonlySet<string>,
    reasons: ReadonlyMap<string, string>,
  ): void {
    const partly = new Set(
      made
        .filter(
          ({ graph, links, isCleaned }) => !stored.has(graph.name) || isCleaned || !links.every(isKnown),
        )
        .map(({ resource }) => resource),
    );
    const segments = new Map<string, Set<string>>();
    for (const { resource, query } of made)
      segments.set(resource, (segments.get(resource) ?? new Set()).add(query.path.segment));
    const counts = new VersionCounts(tx);
    for (const [iri, found] of resources) {
      const { resource, tally, patient } = found;
      const recordId = patient === undefined ? undefined : recordOf(patient, iri);
      const known = knownOf(tx, nameOf(resource));
      const others = known.filter((each) => each.recordId !== recordId && each.recordId !== '');
      // Its patient may change within a load, too: the last one counts.
      if (others.some((each) => each.made.length > 0)) {
        const { type, id, source, isDeleted } = resource;
        const moved = {
          resource: { type, id, source },
          tally,
          place: placeOf(resource),
          recordId,
          isDeleted,
        };
        this.#moved.set(iri, moved);
      } else this.#moved.delete(iri);
      if (recordId === undefined && !resource.isDeleted) continue;
      const segmentsMade = [...(segments.get(iri) ?? [])].sort();
      const why = reasons.get(iri) ?? (segmentsMade.length > 0 ? undefined : '');
      const isWhole =
        recordId !== undefined && !partly.has(iri) && this.unchanged.isPlain(resource, segmentsMade);
      const digest = isWhole ? this.unchanged.digestOf(found.digest) : undefined;
      const settled =
        digest === undefined
          ? {}
          : { digest, revision: revisionOf(tx, ''), ...(why !== undefined && { why }) };
      const own = this.#entryOf(resource, recordId ?? '', segmentsMade, known, settled);
      changeKnown(tx, resource, known, own ? [...others, own] : others, counts);
    }
    counts.write();
  }

  /** What is remembered of a resource; undefined where that is nothing. @param settled what tells that it is unchanged */
  #entryOf(
    resource: FhirResource,
    recordId: string,
    made: readonly string[],
    known: readonly KnownResource[],
    settled: Pick<KnownResource, 'digest' | 'revision' | 'why'>,
  ): KnownResource | undefined {
    const { isDeleted, source = known.find((each) => each.recordId === recordId)?.source } = resource;
    let [updated, number] = [resource.updated, resource.number];
    // A deletion without a time is later than the version that it deletes.
    if (isDeleted && Number.isNaN(updated))
      updated = Math.max(...known.map((each) => each.updated ?? -Infinity));
    if (isDeleted && Number.isNaN(number))
      number = Math.max(...known.map((each) => each.number ?? -Infinity));
    const version = {
      ...(Number.isFinite(updated) && { updated }),
      ...(Number.isFinite(number) && { number }),
      ...(isDeleted && { isDeleted }),
      ...settled,
    };
    if (made.length === 0 && Object.keys(version).length === 0) return undefined;
    return {
      recordId,
      hasPatientId: this.#hasPatientIds,
      made,
      ...version,
      ...(source !== undefined && { source }),
      ...(!isDeleted && { mapping: this.options.mapping.versions.get(resource.type) ?? '' }),
    };
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
      const names = new Set(some.map(({ name }) => name));
      await this.options.primary.write({ remove: [...names] }, (tx) => {
        const counts = new VersionCounts(tx);
        for (const { resource } of some) this.#forget(tx, resource, names, counts);
        counts.write();
      });
    }
    return gone;
  }

  #goneOf(moved: Moved, stored: ReadonlyMap<string, ImportTally>): Gone[] {
    const { primary } = this.options;
    const { resource, tally, place } = moved;
    const names = new Map<string, string>();
    for (const known of primary.directory.read((tx) => knownOf(tx, nameOf(resource))))
      for (const segment of known.made) {
        const { recordId } = known;
        const home = { recordId, segment };
        const name = this.#homes.statementOf(resource, home);
        if (recordId === moved.recordId || name === undefined || !primary.has(name)) continue;
        if (
          !this.#isStillOf(resource, home, name) ||
          !this.#isSame(moved, known, home, name, stored.get(name))
        ) {
          const kind = moved.isDeleted ? 'undeleted' : 'elsewhere';
          tally.saw(kind, `${nameOf(resource)} in record ${recordId}`, place);
          continue;
        }
        names.set(name, recordId);
        const source = this.sources.nameOf(recordId, resource);
        if (source !== undefined && primary.has(source)) names.set(source, recordId);
      }
    return Array.from(names, ([name, recordId]) => ({ name, recordId, resource, tally }));
  }

  /** Forgets the old place of a resource, in the transaction that removes it there. */
  #forget(tx: WriteTx, resource: ResourceName, gone: ReadonlySet<string>, counts: VersionCounts): void {
    const known = knownOf(tx, nameOf(resource));
    const left = known.map((each) => {
      const isGone = (segment: string): boolean =>
        this.#homes.namesOf(resource, { ...each, segment }).some((name) => gone.has(name));
      return { ...each, made: each.made.filter((segment) => !isGone(segment)) };
    });
    const standing = left.filter(
      ({ recordId, made }, at) => recordId === '' || made.length === known[at]?.made.length,
    );
    changeKnown(tx, resource, known, standing, counts);
  }

  /** Whether a statement is still of the resource that made it once: what a record has only one of may be of another one. */
  #isStillOf(resource: ResourceName, { recordId, segment }: Home, name: string): boolean {
    const query = this.#homes.queryOf(resource, segment);
    if (query?.path.item === true) return true;
    if (query?.patient.length === 0) return recordId === resource.id;
    const path = pathOf(name, this.options.base);
    return this.options.primary.directory.read((tx) => originOf(tx, path)) === nameOf(resource);
  }

  /**
   * Whether a statement in another record is told to be of the very resource that is loaded.
   * @param storedBy the file that it is from, where this load has stored it
   */
  #isSame(
    { resource, tally, recordId, isDeleted }: Moved,
    known: KnownResource,
    home: Home,
    name: string,
    storedBy?: ImportTally,
  ): boolean {
    if (isOther(resource, known)) return false;
    // A deletion deletes the version that this load has stored before.
    if (isDeleted && storedBy) return true;
    if (recordId === undefined && !isDeleted) return false;
    if (this.#hasNamesake(resource, home, name)) return false;
    if (resource.source !== undefined && resource.source === known.source) return true;
    if (!known.hasPatientId || !this.#hasPatientIds) return false;
    // A deletion does not name the patient.
    if (isDeleted) return true;
    // One load, or one file, can mix two servers: then the newer one must know both patients.
    const files = storedBy ? [tally] : [...this.#patients.keys()];
    return files.some((file) => file !== storedBy && this.#patients.get(file)?.has(home.recordId));
  }

  /** Whether the statement can be of a resource of another type with the same id: of a prescription, or an intake. */
  #hasNamesake({ type, id }: ResourceName, home: Home, name: string): boolean {
    const types = this.options.mapping.makers
      .filter(({ path }) => path.segment === home.segment)
      .flatMap(({ sources }) => sources);
    return types.some(
      (each) =>
        each !== type &&
        this.#homes.statementOf({ type: each, id }, home) === name &&
        this.options.primary.directory
          .read((tx) => knownOf(tx, nameOf({ type: each, id })))
          .some(({ recordId, made }) => recordId === home.recordId && made.includes(home.segment)),
    );
  }
}
