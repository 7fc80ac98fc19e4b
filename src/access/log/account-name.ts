import { userInfo } from 'node:os';

/** Returns the account of the operating system that this process runs as: the `account` of its commands' entries. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
