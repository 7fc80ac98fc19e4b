import { hexDigest } from '../rdf/hex-digest.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { ResourceVersion } from '../records/statement-origins.js';
import type { BatchResource, MappedBatch, RecordOf } from './batch-resource.js';
import { placeOf, type FhirDocument, type FhirResource } from './fhir-resources.js';
import { KnownResources } from './known-resources.js';
import { partsOf } from './resource-names.js';
import type { ImportTally } from './import-tally.js';
import type { Mapped, MappingThreads } from './mapping-threads.js';
import type { Mapping, MappingQuery } from './mapping.js';
import { NewestVersions, type NewestDocument } from './newest-versions.js';
import type { ReadElement } from './read-element.js';
import { awaited, References } from './references.js';
import { ResourceTriples } from './resource-triples.js';

const nothing: Promise<readonly Mapped[]> = Promise.resolve([]);

/** Resources per batch: the queries take little more time for many than for one. */
const BATCH = 2000;

/**
 * Collects resources and maps many at once. Resources that others only refer to (practitioners, organizations,
 * medications) are held until the end, so that documents which come later find them.
 */
export class FhirBatches {
  readonly #references: References;
  readonly #learned: KnownResources;
  readonly #elements: ReadonlyMap<string, ReadElement>;
  /** Resources that refer to others that may come later; undefined once the whole load is known. */
  #held: BatchResource[] | undefined = [];
  #resources = new Map<string, BatchResource>();
  #triples: ResourceTriples;
  #written = new Set<string>();
  #waiting: FhirResource[] = [];
  /** The references of the resource being written. */
  readonly #referred = new Set<FhirResource>();
  /** The resources that the load has mapped. */
  readonly #mapped = new Set<string>();
  /** The resource being written: one of the batch, or one that it refers to. */
  #writing: { readonly about: BatchResource; readonly resource: FhirResource } | undefined;
  /** The patient of the resource being written. */
  #person: JsonObject | undefined;
  readonly #newest: NewestVersions;

  /**
   * @param known what is known now about the records of patients
   * @param storedOf the versions of a resource of a patient that the container has
   * @param isStored whether everything that a resource makes is already stored, and counts it if so
   * @param ownerOf whose the resources of a patient are, if type and id do not identify a resource
   */
  constructor(
    private readonly mapping: Mapping,
    private readonly threads: MappingThreads,
    private readonly known: () => RecordOf,
    storedOf: (resource: FhirResource, patient: string | undefined) => readonly ResourceVersion[],
    private readonly isStored: (found: BatchResource) => boolean,
    ownerOf?: (patient: string) => string,
  ) {
    this.#newest = new NewestVersions(
      (resource) => {
        const patient = ownerOf && this.#patientOf(resource);
        return patient && ownerOf?.(patient);
      },
      (resource) => storedOf(resource, this.#patientOf(resource)),
    );
    this.#references = new References(new Set([...mapping.lookups, 'Patient']));
    this.#learned = new KnownResources(mapping);
    this.#elements = mapping.elements;
    this.#triples = this.#newTriples();
  }

  /** Begins a document. @returns it without versions older than earlier ones */
  begin(document: FhirDocument): NewestDocument {
    this.#references.begin(document);
    return this.#newest.of(document);
  }

  /** Adds the resources of the begun document. Yields full batches. */
  *add(document: NewestDocument, tally: ImportTally): Generator<MappedBatch> {
    const leave = (versions: readonly FhirResource[], reason: string): void => {
      for (const version of versions) {
        tally.resource(version.type);
        tally.omitted(version.type, placeOf(version), reason);
      }
    };
    leave(document.older, 'another version of it counts');
    leave(document.outdated, 'a newer version of it was loaded before');
    for (const resource of document.resources) {
      tally.resource(resource.type);
      this.#learned.learn(resource);
      if (this.mapping.lookups.has(resource.type)) {
        tally.mapped(resource.type);
      } else if (!this.#elements.has(resource.type)) {
        // An Endpoint belongs to no record; its problems are reported with it.
        const reason = resource.type === 'Endpoint' ? undefined : 'no query takes resources of this type';
        tally.unmapped(resource.type, placeOf(resource), reason);
      }
    }
    for (const resource of document.resources) {
      if (this.mapping.lookups.has(resource.type) || !this.#elements.has(resource.type)) continue;
      // A later version in the same batch replaces the earlier one: their triples must not mix.
      if (this.#resources.has(resource.iri) || this.#written.has(resource.iri)) yield this.flush();
      this.#learned.join(resource);
      this.#add(resource, tally);
      if (this.#resources.size >= BATCH) yield this.flush();
    }
  }

  /** Starts mapping the collected resources. @param queries those to run, all by default */
  flush(queries: readonly MappingQuery[] = this.mapping.queries): MappedBatch {
    const resources = this.#resources;
    const triples = this.#triples;
    const types = new Set([...resources.values()].map(({ resource }) => resource.type));
    const asked = queries.filter(({ sources }) => sources.some((type) => types.has(type)));
    const made = asked.length === 0 ? nothing : this.threads.map(asked, triples.chunks());
    // The caller that awaits it gets the error; until then, it must not end the process.
    made.catch(() => undefined);
    this.#resources = new Map();
    this.#written = new Set();
    this.#triples = this.#newTriples();
    return { resources, made, recordOf: this.known(), data: (name) => triples.data(name) };
  }

  /** Whether resources are held back because they refer to others that may come later. */
  get isHolding(): boolean {
    return this.#held !== undefined && this.#held.length > 0;
  }

  /** Returns the target of a reference in the document begun last. */
  target(reference: Readonly<Record<string, unknown>>, from: string): string | undefined {
    return this.#references.target(reference, from);
  }

  /** Notes a resource that comes later. */
  foresee(resource: FhirResource): void {
    if (!resource.isDeleted) this.#references.foresee(resource);
    if (!this.#newest.isOutdated(resource)) this.#learned.foresee(resource);
  }

  /** Adds the resources held back, once nothing more can come. Yields full batches. */
  *release(): Generator<MappedBatch> {
    // Their triples are already in the batch, without the resources they refer to.
    yield this.flush();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { resource, tally } of held) {
      if (this.#resources.has(resource.iri) || this.#written.has(resource.iri)) yield this.flush();
      this.#add(resource, tally);
    }
  }

  /**
   * Adds a resource of an earlier load again, if everything that it refers to is known.
   * @param isWhole whether nothing is missing that was there before
   * @returns whether it was added
   */
  heal(resource: FhirResource, tally: ImportTally, isWhole: (found: BatchResource) => boolean): boolean {
    const held = this.#held;
    this.#held = undefined;
    this.#add(resource, tally);
    this.#held = held;
    const found = this.#resources.get(resource.iri);
    if (found && isWhole(found)) {
      tally.resource(resource.type);
      return true;
    }
    this.#resources.delete(resource.iri);
    return false;
  }

  /** Adds resources of earlier batches again. */
  again(resources: Iterable<BatchResource>): void {
    for (const found of resources) this.#write(found, true);
  }

  /**
   * Whether a written resource makes nothing new; if so, its triples are removed again. If the load has mapped another
   * version of it, it does make something new.
   */
  #isUnchanged(about: BatchResource, referred: readonly FhirResource[]): boolean {
    const { resource, waits, unresolved } = about;
    if (resource.isDeleted || about.patient === resource.iri) return false;
    const isDeep = referred.some(
      ({ type }) => this.mapping.joined.has(type) || this.mapping.linking.has(type),
    );
    // Without what it refers to, it would make less than an earlier load that had it: then its version tells.
    const isLess = about.isEarly && !this.#held && (waits.size > 0 || about.lacks.length > 0);
    const isWhole = waits.size === 0 && unresolved.length === 0 && !about.isEarly && !isDeep;
    if (!isWhole && !isLess) return false;
    if (isWhole) {
      const parts = [resource.value, this.#person, ...referred.map(({ value }) => value)];
      about.digest = hexDigest(parts.map((part) => JSON.stringify(part)).join('\n')).slice(0, 32);
    }
    if (this.#mapped.has(resource.iri) || !this.#triples.canUndo || !this.isStored(about)) return false;
    this.#triples.undo();
    return true;
  }

  #add(resource: FhirResource, tally: ImportTally): void {
    const patient = this.#patientOf(resource);
    const about = {
      resource,
      tally,
      patient,
      unread: [],
      unresolved: [],
      waits: new Set<string>(),
      lacks: [],
      isEarly: false,
      lost: new Set<string>(),
      modifiers: new Set<string>(),
      links: new Map<object, FhirResource>(),
    };
    const wasMapped = this.#mapped.has(resource.iri);
    this.#write(about, false);
    if (!about.isEarly || !this.#held) return;
    this.#held.push(about);
    if (!wasMapped) this.#mapped.delete(resource.iri);
    this.#resources.delete(resource.iri);
  }

  #write(about: BatchResource, isAgain: boolean): void {
    const { resource, patient } = about;
    this.#resources.set(resource.iri, about);
    if (resource.isDeleted) return;
    this.#person = patient === undefined ? undefined : this.#learned.person(patient);
    this.#referred.clear();
    // The resources that a resource refers to follow it, and theirs in turn.
    for (let next: FhirResource | undefined = resource; next; next = this.#waiting.pop()) {
      this.#writing = isAgain ? undefined : { about, resource: next };
      this.#triples.add(next);
      if (isAgain || next !== resource) continue;
      if (this.#isUnchanged(about, [...this.#referred])) {
        for (const { iri } of this.#waiting.splice(0)) this.#written.delete(iri);
        this.#resources.delete(resource.iri);
      } else this.#mapped.add(resource.iri);
    }
  }

  #patientOf({ type, iri, value, isDeleted }: FhirResource): string | undefined {
    // A deleted patient has no record.
    if (isDeleted && type === 'Patient') return undefined;
    const query = this.mapping.queries.find(({ sources }) => sources.includes(type));
    let found: unknown = value;
    for (const name of query?.patient ?? []) found = isObject(found) ? found[name] : undefined;
    if (query?.patient.length === 0) return iri;
    return isObject(found) ? this.#references.target(found, iri) : undefined;
  }

  #newTriples(): ResourceTriples {
    const { losses, chooser, meanings, systems, words } = this.mapping;
    return new ResourceTriples({
      elements: this.#elements,
      chooser,
      meanings,
      systems,
      words,
      person: () => this.#person,
      modified: (path, value) => {
        const effect = losses.effectOf(path, value);
        if (effect !== 'none') this.#writing?.about.lost.add(path);
        if (effect === 'left out') this.#writing?.about.modifiers.add(path);
        return effect === 'left out';
      },
      allows: (path, type, text) => losses.allows(path, type, text),
      otherVersion: (path) =>
        this.#writing?.about.tally.saw('otherVersions', path, placeOf(this.#writing.resource)),
      target: (reference, from, path) => this.#target(reference, from, path),
      unread: (path) => this.#unread(path),
    });
  }

  #target(reference: Readonly<Record<string, unknown>>, from: string, path: string): string | undefined {
    const target = this.#references.target(reference, from);
    const known = target === undefined ? undefined : partsOf(target);
    const isLookup = known !== undefined && this.mapping.lookups.has(known.type) && !target?.includes('#');
    const lookup = isLookup ? this.#learned.lookup(target ?? '') : undefined;
    if (target === undefined || (isLookup && !lookup)) {
      // A Reference can also be only a text.
      const isStated = reference.reference !== undefined || reference.identifier !== undefined;
      const { about, resource } = this.#writing ?? {};
      const awaits = isStated || isLookup ? awaited(reference, target) : undefined;
      if (about && awaits !== undefined && !target?.includes('#')) {
        about.waits.add(awaits);
        about.isEarly = true;
      }
      if (isStated && about?.resource === resource) about?.unresolved.push(path);
    }
    const joined = target === undefined ? undefined : this.#learned.joined(target);
    if (known && this.mapping.joined.has(known.type) && !joined && this.#writing) {
      this.#writing.about.isEarly = true;
      if (!this.#learned.isLeaving(target ?? '')) this.#writing.about.lacks.push(known);
    }
    const next = lookup ?? joined;
    if (next) this.#referred.add(next);
    if (next) this.#writing?.about.links.set(reference, next);
    if (next && !this.#written.has(next.iri) && !this.#resources.has(next.iri)) {
      this.#written.add(next.iri);
      this.#waiting.push(next);
    }
    return target;
  }

  #unread(path: string): void {
    if (!this.#writing) return;
    const { about, resource } = this.#writing;
    const { losses } = this.mapping;
    if (losses.changesMeaning(path, resource)) about.lost.add(path);
    else if (about.resource === resource && !losses.isLeftOut(path)) about.unread.push(path);
  }
}
