import { knownOf, type KnownResource } from '../records/statement-origins.js';
import { revisionOf } from '../store/change-log.js';
import type { ReadTx } from '../store/disk/data-directory.js';
import { pathOf } from '../store/paths.js';
import type { BatchResource } from './batch-resource.js';
import type { FhirResource } from './fhir-resources.js';
import type { Ontology } from '../model/ontology/model.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Mapping, StatementMaker } from './mapping.js';
import type { RecordIdOptions } from './record-ids.js';
import { nameOf, type ResourceName } from './resource-names.js';
import type { StatementHomes } from './statement-homes.js';

export type MovedOptions = RecordIdOptions & {
  readonly primary: PrimaryStore;
  readonly base: string;
  readonly mapping: Mapping;
  readonly ontology: Ontology;
  readonly keepSource?: boolean | undefined;
};

/** The stored statements of a resource, or why there are none. */
export interface StoredOutcome {
  readonly statements: readonly StoredStatement[];
  readonly why: string | undefined;
}

/** A stored statement, and the query that made it. */
export interface StoredStatement {
  readonly query: StatementMaker;
  readonly name: string;
}

/** Resources that an earlier load has stored just as they come again. */
export class UnchangedResources {
  constructor(
    private readonly options: MovedOptions,
    private readonly homes: StatementHomes,
    private readonly hasPatientIds: boolean,
  ) {}

  /**
   * What is stored of a resource, where it makes just that; undefined where something may be new. Of one without a digest,
   * which lacks what it refers to, that is what an earlier load made of the same version.
   * @param recordId that of its patient
   */
  outcomeOf({ resource, digest, lacks }: BatchResource, recordId: string): StoredOutcome | undefined {
    const { primary, base, mapping } = this.options;
    return primary.directory.read((tx) => {
      const [known, ...others] = knownOf(tx, nameOf(resource));
      if (!known || others.length > 0 || known.recordId !== recordId) return undefined;
      const isSame =
        digest === undefined
          ? known.made.length > 0 &&
            isSameVersion(resource, known) &&
            lacks.every((each) => isThere(tx, each))
          : known.revision !== undefined && known.digest === this.digestOf(digest);
      if (!isSame || known.mapping !== mapping.versions.get(resource.type)) return undefined;
      if (known.hasPatientId !== this.hasPatientIds || isOther(resource, known)) return undefined;
      const statements: StoredStatement[] = [];
      for (const segment of known.made) {
        const query = this.homes.queryOf(resource, segment);
        const name = this.homes.statementOf(resource, { recordId, segment });
        // Others may have written it since.
        if (!query || name === undefined || !primary.has(name)) return undefined;
        if (digest !== undefined && revisionOf(tx, pathOf(name, base)) > (known.revision ?? 0))
          return undefined;
        statements.push({ query, name });
      }
      return { statements, why: known.why };
    });
  }

  /** Whether changes of a resource can be detected: one query makes each of its statements, from it alone. */
  isPlain(resource: FhirResource, made: readonly string[]): boolean {
    const own = this.options.mapping.makers.filter(({ sources }) => sources.includes(resource.type));
    const ofOne = made.every((segment) => own.filter(({ path }) => path.segment === segment).length === 1);
    // All resources together decide a statement that a record has only once, unless this one can never make it.
    const single = own.filter(({ path }) => !path.item);
    const isCandidate = made.length === 0 && !this.options.mapping.unmade.excludes(resource);
    if (isCandidate && single.length > 0) return false;
    return ofOne && single.every(({ path }) => !made.includes(path.segment));
  }

  /** What else decides what is stored: the rules of the ontology, and whether sources are kept. */
  digestOf(digest: string | undefined): string | undefined {
    return digest === undefined
      ? undefined
      : `${digest} ${this.options.ontology.version}${this.options.keepSource ? ' kept' : ''}`;
  }
}

/** Whether two resources with one type and id name different servers. */
export const isOther = ({ source }: Pick<FhirResource, 'source'>, known: KnownResource): boolean =>
  source !== undefined && known.source !== undefined && source !== known.source;

/** Whether the container knows of a resource that was not deleted. */
const isThere = (tx: ReadTx, resource: ResourceName): boolean => {
  const known = knownOf(tx, nameOf(resource));
  return known.length > 0 && !known.some(({ isDeleted }) => isDeleted);
};

/** Whether a resource has the version that is stored. Without a version nobody can tell. */
const isSameVersion = ({ updated, number }: FhirResource, known: KnownResource): boolean =>
  (updated === known.updated && (number === known.number || Number.isNaN(number))) ||
  (Number.isNaN(updated) && number === known.number);
