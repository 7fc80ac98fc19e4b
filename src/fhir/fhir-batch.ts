import { hexDigest } from '../rdf/hex-digest.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import type { ResourceVersion } from '../records/statement-origins.js';
import { orderOf, partsOf, placeOf, type FhirDocument, type FhirResource } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import type { Mapped, MappingThreads } from './mapping-threads.js';
import type { Mapping, MappingQuery } from './mapping.js';
import { NewestVersions, type NewestDocument } from './newest-versions.js';
import type { ReadElement } from './read-element.js';
import { awaited, References } from './references.js';
import { ResourceTriples } from './resource-triples.js';

/** A resource of a batch. */
export interface BatchResource {
  readonly resource: FhirResource;
  readonly tally: ImportTally;
  /** The patient that it is about; undefined where no reference leads to one. */
  readonly patient: string | undefined;
  /** Elements that no query reads, those that change no meaning; one that repeats stands there as often. */
  readonly unread: string[];
  /** References that lead to nothing that is known. */
  readonly unresolved: string[];
  /** What those of them that may come later are called: `Medication/m1`. */
  readonly waits: Set<string>;
  /** Whether something of which it is made may come later in the load. */
  isEarly: boolean;
  /** A digest of all that its statements are made of; undefined where that is more than it and what it refers to. */
  digest?: string;
  /** What no query reads although it changes the meaning of what is read, of it and of what it refers to. */
  readonly lost: Set<string>;
  /** Modifiers for which it, or what they stand in, is left out. */
  readonly modifiers: Set<string>;
  /** The resources that its references lead to, of those that the load knows. */
  readonly links: Map<object, FhirResource>;
}

/**
 * The record of what a resource says about a patient; undefined where none is known. That of a patient itself stays its own
 * when another one replaces it.
 */
export type RecordOf = (patient: string, resource: string) => string | undefined;

/** A batch of resources and what queries make of it. */
export interface MappedBatch {
  readonly resources: ReadonlyMap<string, BatchResource>;
  readonly made: Promise<readonly Mapped[]>;
  /** As was known when the batch was full: what is read while it is mapped has no say. */
  readonly recordOf: RecordOf;
  /** The Base64 of an attachment by the name that stands for it in what was made. */
  data(name: string): string | undefined;
}

const nothing: Promise<readonly Mapped[]> = Promise.resolve([]);

/** So many resources are mapped at once: the queries then take little more time for many than for one. */
const BATCH = 2000;

/**
 * Collects resources and maps many at once. Resources that others only refer to (practitioners, organizations,
 * medications) are held until the end, so that documents which come later find them.
 */
export class FhirBatches {
  readonly #references: References;
  readonly #lookups = new Map<string, FhirResource>();
  /** Those that were deleted: what is read ahead does not bring them back. */
  readonly #gone = new Map<string, FhirResource>();
  /** Those of which statements are made as well. */
  readonly #joined = new Map<string, FhirResource>();
  /** What results of the patients of this load are judged by. */
  readonly #people = new Map<string, JsonObject>();
  readonly #elements: ReadonlyMap<string, ReadElement>;
  /** Resources that refer to what may come later in the load; undefined when all of it was looked at. */
  #held: BatchResource[] | undefined = [];
  #resources = new Map<string, BatchResource>();
  #triples: ResourceTriples;
  #written = new Set<string>();
  #waiting: FhirResource[] = [];
  /** What the resource that is being written refers to. */
  readonly #referred = new Set<FhirResource>();
  /** What the load has mapped. */
  readonly #mapped = new Set<string>();
  /** What is being written: a resource of the batch, or one that it refers to. */
  #writing: { readonly about: BatchResource; readonly resource: FhirResource } | undefined;
  /** The patient of what is being written. */
  #person: JsonObject | undefined;
  readonly #newest: NewestVersions;

  /**
   * @param known what is known at present of the records of patients
   * @param storedOf the versions of a resource of a patient that the container has
   * @param isStored whether everything that a resource makes is stored already, which then has been counted
   * @param ownerOf whose the resources of a patient are, where type and id do not say which resource it is
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
    this.#elements = mapping.elements;
    this.#triples = this.#newTriples();
  }

  /** Begins a document. @returns it without what is older than what came before */
  begin(document: FhirDocument): NewestDocument {
    this.#references.begin(document);
    return this.#newest.of(document);
  }

  /** Adds the resources of a document that was begun. Gives what is full, in batches. */
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
      const { gender, birthDate, modifierExtension } = resource.value;
      if (resource.type === 'Patient' && modifierExtension === undefined)
        this.#people.set(resource.iri, { gender, birthDate });
      if (this.mapping.lookups.has(resource.type)) {
        if (resource.isDeleted) {
          this.#lookups.delete(resource.iri);
          this.#gone.set(resource.iri, resource);
        } else newer(this.#lookups, resource);
        tally.mapped(resource.type);
      } else if (!this.#elements.has(resource.type)) {
        // Endpoints are no part of a record; what is wrong with one is told of it.
        const reason = resource.type === 'Endpoint' ? undefined : 'no query takes resources of this type';
        tally.unmapped(resource.type, placeOf(resource), reason);
      }
    }
    for (const resource of document.resources) {
      if (this.mapping.lookups.has(resource.type) || !this.#elements.has(resource.type)) continue;
      // A later version in the same batch takes the place of the earlier one: their triples must not mix.
      if (this.#resources.has(resource.iri) || this.#written.has(resource.iri)) yield this.flush();
      if (resource.isDeleted && this.#joined.delete(resource.iri)) this.#gone.set(resource.iri, resource);
      if (!resource.isDeleted && this.mapping.joined.has(resource.type)) newer(this.#joined, resource);
      this.#add(resource, tally);
      if (this.#resources.size >= BATCH) yield this.flush();
    }
  }

  /** Begins to map what has been collected. @param queries those to run, all by default */
  flush(queries: readonly MappingQuery[] = this.mapping.queries): MappedBatch {
    const resources = this.#resources;
    const triples = this.#triples;
    const types = new Set([...resources.values()].map(({ resource }) => resource.type));
    const asked = queries.filter(({ sources }) => sources.some((type) => types.has(type)));
    const made = asked.length === 0 ? nothing : this.threads.map(asked, triples.chunks());
    // The caller that waits for it gets the error; until one does, the process must not fail for it.
    made.catch(() => undefined);
    this.#resources = new Map();
    this.#written = new Set();
    this.#triples = this.#newTriples();
    return { resources, made, recordOf: this.known(), data: (name) => triples.data(name) };
  }

  /** Whether resources are held back, since they refer to what may come later. */
  get isHolding(): boolean {
    return this.#held !== undefined && this.#held.length > 0;
  }

  /** Where a reference leads, in the document that was begun last. */
  target(reference: Readonly<Record<string, unknown>>, from: string): string | undefined {
    return this.#references.target(reference, from);
  }

  /** Learns of a resource that comes later. */
  foresee(resource: FhirResource): void {
    this.#references.foresee(resource);
    const gone = this.#gone.get(resource.iri);
    if (gone && !(orderOf(resource, gone) > 0)) return;
    if (this.mapping.lookups.has(resource.type)) newer(this.#lookups, resource);
    if (this.mapping.joined.has(resource.type)) newer(this.#joined, resource);
  }

  /** Adds the resources that are held back: nothing more is foreseen. Gives what is full, in batches. */
  *release(): Generator<MappedBatch> {
    // Their triples are in the batch already, without what they refer to.
    yield this.flush();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { resource, tally } of held) {
      if (this.#resources.has(resource.iri) || this.#written.has(resource.iri)) yield this.flush();
      this.#add(resource, tally);
    }
  }

  /**
   * Adds a resource of an earlier load once more, where everything to which it refers is known.
   * @param isWhole whether nothing is missing that was there
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

  /** Adds resources of earlier batches once more. */
  again(resources: Iterable<BatchResource>): void {
    for (const found of resources) this.#write(found, true);
  }

  /**
   * Whether a resource of which a triple was written makes nothing new; then it is taken out again. One of which the load
   * has mapped another version makes the statements of that one new.
   */
  #isUnchanged(about: BatchResource, referred: readonly FhirResource[]): boolean {
    const { resource, waits, unresolved } = about;
    const isWhole = waits.size === 0 && unresolved.length === 0 && !about.isEarly;
    const isDeep = referred.some(
      ({ type }) => this.mapping.joined.has(type) || this.mapping.linking.has(type),
    );
    if (!isWhole || isDeep || resource.isDeleted || about.patient === resource.iri) return false;
    const parts = [resource.value, this.#person, ...referred.map(({ value }) => value)];
    about.digest = hexDigest(parts.map((part) => JSON.stringify(part)).join('\n')).slice(0, 32);
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
      isEarly: false,
      lost: new Set<string>(),
      modifiers: new Set<string>(),
      links: new Map<object, FhirResource>(),
    };
    this.#write(about, false);
    if (!about.isEarly || !this.#held) return;
    this.#held.push(about);
    this.#resources.delete(resource.iri);
  }

  #write(about: BatchResource, isAgain: boolean): void {
    const { resource, patient } = about;
    this.#resources.set(resource.iri, about);
    if (resource.isDeleted) return;
    this.#person = patient === undefined ? undefined : this.#people.get(patient);
    this.#referred.clear();
    // What a resource refers to follows it, and what that refers to in turn.
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
    // Who is deleted is no patient of a record.
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
    const lookup = isLookup ? this.#lookups.get(target ?? '') : undefined;
    if (target === undefined || (isLookup && !lookup)) {
      // A Reference can also be a text alone.
      const isStated = reference.reference !== undefined || reference.identifier !== undefined;
      const { about, resource } = this.#writing ?? {};
      const awaits = isStated || isLookup ? awaited(reference, target) : undefined;
      if (about && awaits !== undefined && !target?.includes('#')) {
        about.waits.add(awaits);
        about.isEarly = true;
      }
      if (isStated && about?.resource === resource) about?.unresolved.push(path);
    }
    const joined = target === undefined ? undefined : this.#joined.get(target);
    if (known && this.mapping.joined.has(known.type) && !joined && this.#writing)
      this.#writing.about.isEarly = true;
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

/** Puts in a resource, but in the place of an older version: a later one may have been foreseen. */
function newer(known: Map<string, FhirResource>, resource: FhirResource): void {
  const before = known.get(resource.iri);
  if (!before || !(orderOf(resource, before) < 0)) known.set(resource.iri, resource);
}
