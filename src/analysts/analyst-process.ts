import { Analysts } from './analysts.js';
import type { AnalystLimits, EngineSettings } from '../http/serve-settings.js';
import { serveAnalysts } from './analyst-server.js';
import { deidentifiedView } from './deidentify/view.js';
import { identified } from './levels.js';
import { remoteEngines } from './remote/remote-engines.js';
import { joinServing } from '../store/disk/lock.js';
import { openDataDirectory } from '../store/disk/data-directory.js';
import { faultFacts } from '../http/fault-facts.js';
import { loadOntology, type Folders } from '../model/ontology/directory.js';
import { PLANNED_QUADS, quadsIn } from '../store/capacity.js';
import { CommitWatch } from '../store/commit-watch.js';
import { openPrimaryStore } from '../store/primary-store.js';

export interface AnalystOrder {
  readonly data: string;
  /** The shared store that `data` is a copy of. */
  readonly store?: string | undefined;
  readonly ontology: Folders;
  readonly base: string;
  readonly socket: string;
  readonly memoryBytes: number;
  readonly limits?: Partial<AnalystLimits> | undefined;
  readonly engine?: EngineSettings | undefined;
  readonly version: string;
}

/** Messages of the process. `filled` means that the default level is filled. */
export type AnalystNews =
  | { readonly state: 'waiting' | 'listening' | 'filled' }
  | { readonly failed: ReturnType<typeof faultFacts>; readonly stack: string };

// The entry of the process that runs the queries of analysts.

const tell = (news: AnalystNews): void => {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
};

/** Reports an error. The message may quote stored data, so it is included only if an operator can act on it. */
function fault(error: unknown): void {
  const { stack = '' } = error instanceof Error ? error : new Error(typeof error);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  tell({ failed: faultFacts(error), stack: frames.join('\n') });
}

/** Skips exit handlers: LMDB's may wait for other processes. This one only reads, so nothing is lost. */
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');

process.once('disconnect', endAtOnce);
process.once('SIGTERM', endAtOnce);
// Ctrl+C reaches the whole process group; the first process decides when to stop.
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
  ontology: folders,
  base,
  socket,
  memoryBytes,
  limits,
  engine,
  version,
}: AnalystOrder): Promise<void> {
  joinServing(data);
  const { ontology, digest } = await loadOntology(folders);
  const directory = await openDataDirectory(data, { store });
  const primary = openPrimaryStore(directory, base);
  const deidentified = deidentifiedView(primary, ontology);
  const planned = quadsIn(memoryBytes);
  const analysts = new Analysts({
    primary,
    current: directory.current,
    ontology,
    views: { deidentified, identified },
    planned,
    moreMemory:
      planned < PLANNED_QUADS
        ? `start the container with a larger --analyst-memory, which is ${Math.floor(memoryBytes / 1024 / 1024)} MB`
        : undefined,
    limits,
    onFault: fault,
    engineOf:
      engine && remoteEngines(engine, { directory, primary, ontology, digest, version, onFault: fault }),
  });
  new CommitWatch(directory).add(() => analysts.keepUp());
  await serveAnalysts(analysts, socket);
  tell({ state: 'listening' });
  // After a failure, queries report the reason, and a later one tries again.
  await analysts.fill().then(() => tell({ state: 'filled' }), fault);
}
