/** The part of the package that we use; it brings no types along. Locks are on whole files. */
declare module 'fs-native-extensions' {
  export function tryLock(fd: number, options?: { shared?: boolean }): boolean;
  export function tryUpgradeLock(fd: number): boolean;
  export function tryDowngradeLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
