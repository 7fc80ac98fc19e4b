import { Analysts, type AnalystLimits } from './analysts/analysts.js';
import { serveAnalysts } from './analysts/analyst-server.js';
import { deidentifiedView } from './analysts/deidentify.js';
import { identified } from './analysts/levels.js';
import { joinServing } from './disk/lock.js';
import { openDataDirectory } from './disk/data-directory.js';
import { loadOntology } from './ontology/directory.js';
import { quadsIn } from './store/capacity.js';
import { CommitWatch } from './store/commit-watch.js';
import { openPrimaryStore } from './store/primary-store.js';

/** What the analyst process is started with. */
export interface AnalystOrder {
  readonly data: string;
  /** The shared store of which `data` holds a copy. */
  readonly store?: string | undefined;
  readonly ontology: string;
  /** Without a slash at its end. */
  readonly base: string;
  /** Where it listens. */
  readonly socket: string;
  /** What a level may take, in bytes. */
  readonly memoryBytes: number;
  readonly limits?: Partial<AnalystLimits> | undefined;
}

/** What it says: that it waits for its order, that it listens, that the default level is filled or cannot be. */
export type AnalystNews =
  | { readonly state: 'waiting' | 'listening' | 'filled' }
  | { readonly failed: string; readonly stack: string };

// The entry of the process that runs the queries of analysts.

const tell = (news: AnalystNews): void => {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
};

/** Tells of an error without its message, which may quote what is stored. */
function fault(error: unknown): void {
  const { name, stack = '' } = error instanceof Error ? error : new Error(typeof error);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  tell({ failed: name, stack: frames.join('\n') });
}

/** With no exit handlers: LMDB's may wait for others. It only reads, so there is nothing to be lost. */
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');

process.once('disconnect', endAtOnce);
process.once('SIGTERM', endAtOnce);
// A signal from the terminal reaches the whole group; the first process decides when to stop.
process.on('SIGINT', () => undefined);
process.once('message', (order: AnalystOrder) => {
  run(order).catch((error: unknown) => {
    fault(error);
    setTimeout(endAtOnce, 100);
  });
});
tell({ state: 'waiting' });

async function run({
  data,
  store,
  ontology: folder,
  base,
  socket,
  memoryBytes,
  limits,
}: AnalystOrder): Promise<void> {
  joinServing(data);
  const { ontology } = await loadOntology(folder);
  const directory = await openDataDirectory(data, { store });
  const primary = openPrimaryStore(directory, base);
  const deidentified = deidentifiedView(primary, ontology);
  const analysts = new Analysts({
    primary,
    current: directory.current,
    ontology,
    views: { deidentified, identified },
    planned: quadsIn(memoryBytes),
    limits,
    onFault: fault,
  });
  new CommitWatch(directory).add(() => analysts.keepUp());
  await serveAnalysts(analysts, socket);
  tell({ state: 'listening' });
  // Who asks is told what is wrong, and a later query tries again.
  await analysts.fill().then(() => tell({ state: 'filled' }), fault);
}
