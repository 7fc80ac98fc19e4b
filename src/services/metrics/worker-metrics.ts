import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from '../../http/container-metrics.js';
import type { Gather } from './metrics-listener.js';

export interface MetricsRequest {
  readonly metricsRequest: number;
}
export interface MetricsAnswer {
  readonly metricsAnswer: number;
  readonly values: MetricValues;
}

export interface MetricsWorker {
  readonly id: number;
  isConnected(): boolean;
  send(message: MetricsRequest): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** A worker that hangs must not hold up the numbers of the others. */
const ANSWER_WITHIN_MS = 2000;

/** Answers the first process's requests for numbers; for workers that have their order. */
export function answerMetricsRequests(metrics: Metrics): void {
  process.on('message', (message: Partial<MetricsRequest> | null) => {
    const { metricsRequest } = Object(message) as Partial<MetricsRequest>;
    if (metricsRequest === undefined) return;
    metrics.values().then(
      (values) => {
        const answer: MetricsAnswer = { metricsAnswer: metricsRequest, values };
        if (process.connected) process.send?.(answer, () => undefined);
      },
      () => undefined,
    );
  });
}

/**
 * Asks all workers for their numbers, in the first process. The last counts of ended workers stay in the sums, so that
 * those never fall.
 * @param workers returns those that serve now
 */
export function gatherFromWorkers(
  workers: () => readonly MetricsWorker[],
  within = ANSWER_WITHIN_MS,
): Gather {
  const last = new Map<number, MetricValues>();
  let ended: MetricValues = [];
  return async () => {
    const serving = workers().filter((worker) => worker.isConnected());
    for (const { id, values } of await Promise.all(serving.map((worker) => ask(worker, within))))
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

function countersOf(all: MetricValues[]): Promise<MetricValues> {
  const growing = all.map((values) =>
    values.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  );
  return AggregatorRegistry.aggregate(growing).getMetricsAsJSON();
}

let lastRequest = 0;

function ask(
  worker: MetricsWorker,
  within: number,
): Promise<{ id: number; values: MetricValues | undefined }> {
  const number = ++lastRequest;
  return new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      const { metricsAnswer, values } = Object(message) as Partial<MetricsAnswer>;
      if (metricsAnswer === number) finish(values);
    };
    const finish = (values?: MetricValues): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      resolve({ id: worker.id, values });
    };
    const timer = setTimeout(finish, within);
    worker.on('message', onMessage);
    try {
      worker.send({ metricsRequest: number });
    } catch {
      finish();
    }
  });
}
