import type { Accounts } from '../../accounts/accounts.js';
import type { Grants } from '../../accounts/grants.js';
import type { UserRole } from '../../accounts/users.js';
import type { DataDirectory } from '../../disk/data-directory.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Audit } from '../audit.js';

/** What the three-legged flow works on; made once by the composition root. */
export interface Flow {
  readonly directory: DataDirectory;
  readonly accounts: Accounts;
  readonly grants: Grants;
  readonly store: GraphStore;
  /** The base URL without a trailing slash: the realm of every challenge. */
  readonly base: string;
  /** How long access tokens live, in milliseconds. */
  readonly tokenLifetime: number;
  /** Roles whose users must have a second factor. */
  readonly secondFactorRoles: ReadonlySet<UserRole>;
  readonly audit: Audit;
}

/** A token with its secret, and what the app is told beside it, in the order of the answer. */
export type TokenAnswer = readonly (readonly [name: string, value: string])[];
