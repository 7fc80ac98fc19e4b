import { workerData } from 'node:worker_threads';

// Entry of a thread beside a worker's main one. A long query or a store lock that is never released blocks the main
// thread, which would not notice that the first process is gone.

/** Start data: the process id of the first process. */
export interface Watched {
  readonly primary: number;
}

const POLL_MS = 150;
/** Milliseconds that running requests get; in all, the worker is gone within a second. */
const GRACE_MS = 600;

const { primary } = workerData as Watched;
const timer = setInterval(() => {
  // On Linux and macOS an orphan gets another parent at once. On Windows the closed channel must do.
  if (process.ppid === primary) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
}, POLL_MS);
