import { recordIri, statementIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Mapping, StatementMaker } from './mapping.js';
import type { ResourceName } from './resource-names.js';
import { statementName } from './statement-names.js';

/** Where a statement of a resource is: in which record, and at the place of which class. */
export interface Home {
  readonly recordId: string;
  readonly segment: string;
}

/** Where the statements of resources stand. */
export class StatementHomes {
  constructor(
    private readonly options: {
      readonly primary: PrimaryStore;
      readonly base: string;
      readonly mapping: Mapping;
    },
  ) {}

  /** The name of a statement, of two the one under which it stands. */
  statementOf(resource: ResourceName, home: Home): string | undefined {
    const [name, former] = this.namesOf(resource, home);
    return name !== undefined && this.options.primary.has(name) ? name : former;
  }

  /** The name of a statement, and the one that it had before version 0.27, without its type. */
  namesOf(resource: ResourceName, { recordId, segment }: Home): string[] {
    const { base, mapping } = this.options;
    const path = this.queryOf(resource, segment)?.path;
    const record = recordIri(base, recordId);
    return path
      ? [statementName({ record, path, resource }, mapping), statementIri(record, path, resource.id)]
      : [];
  }

  /** What makes statements of a type at the place of a class. */
  queryOf({ type }: Pick<ResourceName, 'type'>, segment: string): StatementMaker | undefined {
    return this.options.mapping.makers.find(
      ({ path, sources }) => path.segment === segment && sources.includes(type),
    );
  }
}
