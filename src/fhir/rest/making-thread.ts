import { parentPort, workerData } from 'node:worker_threads';
import {
  ResourceMaker,
  type MadeResource,
  type Makable,
  type MakerFolders,
  type MakingTask,
} from './resource-maker.js';

export type MakingAnswer = Makable | readonly MadeResource[] | { readonly fault: Error };

// The entry of the thread that makes resources. It reads and checks the export queries first, which takes a second or two.

const opening = ResourceMaker.open(workerData as MakerFolders);
opening.catch(() => undefined);

parentPort?.on('message', (task: MakingTask | 'makable') => {
  const answer = (made: MakingAnswer): void => parentPort?.postMessage(made);
  opening
    .then((maker) => answer(task === 'makable' ? maker.makable : maker.make(task)))
    .catch((fault: unknown) => answer({ fault: fault instanceof Error ? fault : new Error(String(fault)) }));
});
