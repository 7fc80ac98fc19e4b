import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from './container-metrics.js';
import type { Gather } from './metrics-listener.js';

/** What the first process asks a worker, and what that answers. */
export interface MetricsRequest {
  readonly metricsRequest: number;
}
export interface MetricsAnswer {
  readonly metricsAnswer: number;
  readonly values: MetricValues;
}

/** What is used of a worker of node:cluster. */
export interface MetricsWorker {
  readonly id: number;
  isConnected(): boolean;
  send(message: MetricsRequest): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** A worker that stands still must not keep the numbers of the others. */
const PATIENCE = 2000;

/** In a worker: answers the first process when it asks for the numbers. Call it when the worker has its order. */
export function answerMetricsRequests(metrics: Metrics): void {
  process.on('message', (message: Partial<MetricsRequest> | null) => {
    const { metricsRequest } = Object(message) as Partial<MetricsRequest>;
    if (metricsRequest === undefined) return;
    metrics.values().then(
      (values) => {
        const answer: MetricsAnswer = { metricsAnswer: metricsRequest, values };
        // The first process may be gone by now.
        if (process.connected) process.send?.(answer, () => undefined);
      },
      // One that cannot tell its numbers is as one that stands still; requests are answered all the same.
      () => undefined,
    );
  });
}

/**
 * In the first process: asks all workers for their numbers. What a worker that has ended had counted when it was last
 * asked stays in the sums, so that they do not fall.
 * @param workers those that serve now
 */
export function gatherFromWorkers(workers: () => readonly MetricsWorker[], patience = PATIENCE): Gather {
  const last = new Map<number, MetricValues>();
  let ended: MetricValues = [];
  return async () => {
    const serving = workers().filter((worker) => worker.isConnected());
    for (const { id, values } of await Promise.all(serving.map((worker) => ask(worker, patience))))
      if (values) last.set(id, values);
    const alive = new Set(serving.map(({ id }) => id));
    const gone = [...last].filter(([id]) => !alive.has(id));
    if (gone.length > 0) {
      for (const [id] of gone) last.delete(id);
      ended = await countersOf([ended, ...gone.map(([, values]) => values)]);
    }
    return [ended, ...last.values()];
  };
}

/** The sums of what only grows. */
function countersOf(all: MetricValues[]): Promise<MetricValues> {
  const growing = all.map((values) =>
    values.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  );
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON();
}

let asked = 0;

function ask(worker: MetricsWorker, patience: number): Promise<{ id: number; values?: MetricValues }> {
  const number = ++asked;
  return new Promise((resolve) => {
    const hear = (message: unknown): void => {
      const { metricsAnswer, values } = Object(message) as Partial<MetricsAnswer>;
      if (metricsAnswer === number) finish(values);
    };
    const finish = (values?: MetricValues): void => {
      clearTimeout(timer);
      worker.off('message', hear);
      resolve({ id: worker.id, ...(values && { values }) });
    };
    const timer = setTimeout(finish, patience);
    worker.on('message', hear);
    try {
      worker.send({ metricsRequest: number });
    } catch {
      // It has just ended.
      finish();
    }
  });
}
