import { workerData } from 'node:worker_threads';

// The entry of a thread beside a worker's own: a long query keeps that one busy, a store whose lock is not given back
// keeps it waiting, and either way it would not notice that the first process is gone.

/** What the thread is started with: the process id of the first process. */
export interface Watched {
  readonly primary: number;
}

const POLL = 150;
/** What requests that run are given, in milliseconds; all in all a worker is gone within a second. */
const GRACE = 600;

const { primary } = workerData as Watched;
const timer = setInterval(() => {
  // Linux and macOS: who has lost its parent gets another one at once. On Windows the closed channel has to do.
  if (process.ppid === primary) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE);
}, POLL);
