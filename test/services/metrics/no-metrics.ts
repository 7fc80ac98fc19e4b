import type { Metrics } from '../../../src/http/container-metrics.js';

/** Counts nothing. */
export const noMetrics: Metrics = {
  request: () => undefined,
  cache: () => undefined,
  signIn: () => undefined,
  refused: () => undefined,
  streamOpened: () => undefined,
  streamEnded: () => undefined,
  values: () => Promise.resolve([]),
};
