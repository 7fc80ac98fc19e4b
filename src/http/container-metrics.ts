import type { SignInOutcome } from '../access/oauth/audit.js';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

type CacheOutcome = 'hit' | 'miss' | 'not-modified';

export type Metrics = ReturnType<typeof createMetrics>;

interface MetricSources {
  /** Names of calls; all others are counted as `other`. */
  readonly calls: Iterable<string>;
  readonly queued: () => number;
  readonly workingSetQuads: () => number;
  readonly storeBytes: () => number;
  readonly accessLog: () => { readonly recorded: number; readonly lag: number };
  readonly exports: () => readonly { readonly state: (typeof EXPORT_STATES)[number] | 'ended' }[];
}

const EXPORT_STATES = ['waiting', 'done', 'failed'] as const;

/** Seconds. A cached answer takes less than the first, a search over everything more than the last but one. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Returns one number for Prometheus. */
export function oneGauge(name: string, help: string, value: number): Promise<MetricValues> {
  const registry = new Registry();
  new Gauge({ name: `chartgraph_${name}`, help, registers: [registry] }).set(value);
  return registry.getMetricsAsJSON();
}

const WORD = /^[a-z][a-z_-]{0,30}$/u;

/** Makes the counters of a process. Their labels say nothing about patients: calls, statuses, fixed words. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Set(sources.calls);
  const nameOf = (call: string | undefined): string =>
    call === undefined ? 'none' : calls.has(call) ? call : 'other';
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name: `chartgraph_${name}`, help, labelNames, registers });

  const requests = counter('requests_total', 'Requests by call and status.', 'call', 'status');
  const cached = counter('cache_total', 'Answers by what the cache of answers had.', 'outcome');
  const signIns = counter('sign_ins_total', 'Tries to sign in with a password.', 'outcome');
  const refused = counter('refused_total', 'Refused requests by reason.', 'reason');
  const streams = new Gauge({
    name: 'chartgraph_change_streams',
    help: 'Streams of changes that are open.',
    aggregator: 'sum',
    registers,
  });
  const ended = counter(
    'change_streams_ended_total',
    'Streams of changes that have ended, by reason.',
    'reason',
  );
  const seconds = new Histogram({
    name: 'chartgraph_request_duration_seconds',
    help: 'Time from a request to its answer, by call.',
    labelNames: ['call'],
    buckets: BUCKETS,
    registers,
  });
  gauges(sources, registers);

  // Finding the counter for its labels takes longer than counting.
  const requestsOf = memoized((labels: string) => {
    const [call = '', status = ''] = labels.split(' ');
    return requests.labels(call, status);
  });
  const secondsOf = memoized((call: string) => seconds.labels(call));
  const cachedAs = memoized((outcome: CacheOutcome) => cached.labels(outcome));
  return {
    /** @param call undefined if the request matched no call @param taken seconds until it was answered */
    request(call: string | undefined, status: number, taken: number): void {
      const name = nameOf(call);
      requestsOf(`${name} ${status}`).inc();
      secondsOf(name).observe(taken);
    },
    cache: (outcome: CacheOutcome): void => cachedAs(outcome).inc(),
    signIn: (outcome: SignInOutcome): void => signIns.inc({ outcome }),
    /** @param reason a fixed word, such as the reason for refusing a signature */
    refused: (reason: string): void => refused.inc({ reason: WORD.test(reason) ? reason : 'other' }),
    streamOpened: (): void => streams.inc(),
    streamEnded: (reason: string): void => {
      streams.dec();
      ended.inc({ reason: WORD.test(reason) ? reason : 'other' });
    },
    values: (): Promise<MetricValues> => registry.getMetricsAsJSON(),
  };
}

/** Only for a small set of keys: entries are never removed. */
function memoized<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

export function addGauge(
  registers: Registry[],
  name: string,
  help: string,
  aggregator: 'sum' | 'max',
  measure: () => number,
): void {
  new Gauge({
    name: `chartgraph_${name}`,
    help,
    aggregator,
    registers,
    collect() {
      this.set(measure());
    },
  });
}

/** Adds gauges, measured on demand. Values that all processes share are merged as maximum, others as sum. */
function gauges(sources: MetricSources, registers: Registry[]): void {
  const table = [
    ['query_queue_length', 'Queries that wait.', 'sum', sources.queued],
    ['working_set_quads', 'Quads in the working sets.', 'sum', sources.workingSetQuads],
    ['resident_memory_bytes', 'Memory of the processes.', 'sum', () => process.memoryUsage.rss()],
    ['store_bytes', 'Size of the primary store on disk.', 'max', sources.storeBytes],
    [
      'access_log_lag_seconds',
      'How long the oldest entry of the access log has waited to be synced.',
      'max',
      () => sources.accessLog().lag / 1000,
    ],
  ] as const;
  for (const [name, help, aggregator, measure] of table) addGauge(registers, name, help, aggregator, measure);
  new Gauge({
    name: 'chartgraph_exports',
    help: 'Exports for apps by state: waiting to go on, done and there, failed.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
    collect() {
      const known = sources.exports();
      for (const state of EXPORT_STATES)
        this.set({ state }, known.filter((each) => each.state === state).length);
    },
  });
  new Counter({
    name: 'chartgraph_access_log_entries_total',
    help: 'Entries recorded in the access log.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.accessLog().recorded);
    },
  });
}
