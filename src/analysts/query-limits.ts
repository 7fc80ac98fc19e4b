import type { AnalystLimits } from '../http/serve-settings.js';

/** Of a query, unless the settings of the container say otherwise; times in milliseconds. */
export const ANALYST_LIMITS: AnalystLimits = {
  timeout: 30_000,
  delivery: 120_000,
  rows: 100_000,
  queryBytes: 512 * 1024 * 1024,
  running: 2,
  waiting: 16,
  perPerson: 2,
};

/** For tokens whose answers are not cut: bounds of what a program reads in an hour. */
export const WITHOUT_END = { rows: 100_000_000, delivery: 3_600_000 } as const;
