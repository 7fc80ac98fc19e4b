import type { FhirResource } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import type { Mapped } from './mapping-threads.js';
import type { ResourceName } from './resource-names.js';

/** A resource of a batch. */
export interface BatchResource {
  readonly resource: FhirResource;
  readonly tally: ImportTally;
  /** The patient that it is about; undefined if no reference leads to one. */
  readonly patient: string | undefined;
  /** Elements that no query reads and that change no meaning; a repeated one is in it as often. */
  readonly unread: string[];
  /** References to unknown resources. */
  readonly unresolved: string[];
  /** The names of those that may come later: `Medication/m1`. */
  readonly waits: Set<string>;
  /** The resources with statements of their own that it refers to and the load does not have. */
  readonly lacks: ResourceName[];
  /** Whether something of which it is made may come later in the load. */
  isEarly: boolean;
  /** A digest of all input of its statements; undefined if that is more than it and the resources it refers to. */
  digest?: string;
  /** Unread elements that change the meaning of read ones, of it and of the resources it refers to. */
  readonly lost: Set<string>;
  /** Modifiers because of which it, or the element around them, is left out. */
  readonly modifiers: Set<string>;
  /** The resources that its references lead to, of those that the load knows. */
  readonly links: Map<object, FhirResource>;
}

/**
 * The record for a resource about a patient; undefined if unknown. A patient resource itself keeps its record when
 * another patient replaces it.
 */
export type RecordOf = (patient: string, resource: string) => string | undefined;

/** A batch of resources and the results of the queries. */
export interface MappedBatch {
  readonly resources: ReadonlyMap<string, BatchResource>;
  readonly made: Promise<readonly Mapped[]>;
  /** As known when the batch was full: resources read during the mapping do not count. */
  readonly recordOf: RecordOf;
  /** The Base64 of an attachment by its name in the results. */
  data(name: string): string | undefined;
}
