import type { AccessEntry } from '../access/log/access-entry.js';

/** Whom an app or user that something was closed to is called. */
export type Naming = (kind: 'user' | 'app', id: string) => Promise<string>;

/** Says with names what was closed or opened, and to whom; undefined for any other entry. */
export async function closedTo(
  { action, purpose = '' }: Pick<AccessEntry, 'action' | 'purpose'>,
  nameOf: Naming,
): Promise<string | undefined> {
  const [, classes, to] = /^(.*), to ((?:all|(?:user|app) \S+)(?:, (?:user|app) \S+)*)$/u.exec(purpose) ?? [];
  if (!/^record (?:close|open)$/u.test(action) || classes === undefined || to === undefined) return undefined;
  if (to === 'all') return `${classes}, to all clinicians and apps`;
  const named = to.split(', ').map((each) => {
    const [kind, id = ''] = each.split(' ');
    return nameOf(kind === 'app' ? 'app' : 'user', id);
  });
  return `${classes}, to ${(await Promise.all(named)).join(', ')}`;
}
