import { openFileLock } from './file-lock.js';
import { PATIENCE, patiently } from './patience.js';
import { pidNamespace } from './processes.js';

/**
 * Lets a process use the environments of a data directory, beside others of its own PID namespace only: LMDB tells its
 * readers and the owner of its write lock by process and thread ids, and those of two containers may be equal. So the
 * users of a directory share a lock, whose file names their namespace, and it changes when there are no others.
 * Resolves to what ends the use.
 * @throws DataDirectoryError when processes of another container use the directory
 */
export async function enterDirectory(dir: string): Promise<() => void> {
  const entrance = openFileLock(dir, 'entrance');
  const users = openFileLock(dir, 'users');
  const namespace = pidNamespace();
  let obstacle = 'is being opened by another process';
  const join = (): boolean => {
    // One at a time, so that nobody shares the lock between a look at its file and the change of it.
    if (!entrance.try('exclusive')) return false;
    try {
      obstacle = 'is in use in another container (PID namespace)';
      if (!users.try('shared')) return false;
      if (users.read() === namespace) return true;
      if (!users.tryUpgrade()) {
        users.release();
        return false;
      }
      users.write(namespace);
      users.downgrade();
      return true;
    } finally {
      entrance.release();
    }
  };
  try {
    await patiently(join, {
      isAlive: () => false,
      waiting: () => `${dir} ${obstacle}; waiting for it, at most ${PATIENCE / 1000} s.`,
      refusal: () => `${dir} ${obstacle}: run the command there, or stop what runs there.`,
    });
  } catch (error) {
    users.close();
    throw error;
  } finally {
    entrance.close();
  }
  return () => users.close();
}
