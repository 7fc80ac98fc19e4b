import type { AppManifest } from '../../access/accounts/manifest.js';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { PlainAnswer } from '../answer.js';
import { refusalAnswer } from './refusals.js';
import type { Visitor } from './visitor.js';

/** Refuses users who have no records to let an app into. */
export function refuseRole(
  { audit }: Flow,
  visitor: Visitor,
  { id: user, role }: User,
  app?: string,
): PlainAnswer | undefined {
  if (role === 'clinician' || role === 'person') return undefined;
  audit('access.refused', { app, user, reason: `role ${role}` });
  return refusalAnswer(visitor, role);
}

/** Refuses a record that the user may not open, or that does not exist. */
export async function refuseForeign(
  { accounts, hasRecord, audit }: Flow,
  visitor: Visitor,
  { user, manifest }: { readonly user: User; readonly manifest: AppManifest },
  record: string,
): Promise<PlainAnswer | undefined> {
  // Whether a record exists is revealed only to users who may open it.
  const reason = !accounts.mayOpen(user.id, record)
    ? 'record'
    : !(await hasRecord(record))
      ? 'noRecord'
      : undefined;
  if (reason === undefined) return undefined;
  audit('access.refused', { app: manifest.id, user: user.id, record, reason });
  return refusalAnswer(visitor, reason);
}
