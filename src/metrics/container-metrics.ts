import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The numbers of one registry, in the form in which processes send them to each other. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type CacheOutcome = 'hit' | 'miss' | 'not-modified';
export type SignInOutcome = 'accepted' | 'refused' | 'throttled';

/** What a process counts. Labels are names of calls, statuses and fixed words: nothing of a patient. */
export interface Metrics {
  /** An answered request. @param call name of the call; undefined for what is none @param seconds until it was answered */
  request(call: string | undefined, status: number, seconds: number): void;
  cache(outcome: CacheOutcome): void;
  signIn(outcome: SignInOutcome): void;
  /** @param reason a fixed word, such as those of a signature refusal */
  refused(reason: string): void;
  streamOpened(): void;
  /** @param reason a fixed word */
  streamEnded(reason: string): void;
  values(): Promise<MetricValues>;
}

/** What is looked up when somebody asks for the numbers. */
export interface MetricSources {
  /** The names of the calls; others are counted as `other`. */
  readonly calls: Iterable<string>;
  /** How many queries wait. */
  readonly queued: () => number;
  /** Quads in the working set. */
  readonly workingSetQuads: () => number;
  /** Bytes of the primary store on disk. */
  readonly storeBytes: () => number;
  /** As AccessLog.numbers gives them. */
  readonly accessLog: () => { readonly recorded: number; readonly lag: number };
  /** The exports that apps have asked for. */
  readonly exports: () => readonly { readonly state: (typeof EXPORT_STATES)[number] | 'ended' }[];
}

const EXPORT_STATES = ['waiting', 'done', 'failed'] as const;

/** Seconds: a cached answer takes less than the first, a search over everything more than the last but one. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const WORD = /^[a-z][a-z_-]{0,30}$/u;

/** Counts for one process, with a registry of its own. */
export function createMetrics(sources: MetricSources): Metrics {
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

  // To find the counter of some labels takes longer than to count.
  const requestsOf = memoized((labels: string) => {
    const [call = '', status = ''] = labels.split(' ');
    return requests.labels(call, status);
  });
  const secondsOf = memoized((call: string) => seconds.labels(call));
  const cachedAs = memoized((outcome: CacheOutcome) => cached.labels(outcome));
  return {
    request(call, status, taken) {
      const name = nameOf(call);
      requestsOf(`${name} ${status}`).inc();
      secondsOf(name).observe(taken);
    },
    cache: (outcome) => cachedAs(outcome).inc(),
    signIn: (outcome) => signIns.inc({ outcome }),
    refused: (reason) => refused.inc({ reason: WORD.test(reason) ? reason : 'other' }),
    streamOpened: () => streams.inc(),
    streamEnded: (reason) => {
      streams.dec();
      ended.inc({ reason: WORD.test(reason) ? reason : 'other' });
    },
    values: () => registry.getMetricsAsJSON(),
  };
}

/** What was made for a key is given again. There are few keys: names of calls, statuses and fixed words. */
function memoized<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

/** Counts nothing, where nobody asks for the numbers. */
export const noMetrics: Metrics = {
  request: () => undefined,
  cache: () => undefined,
  signIn: () => undefined,
  refused: () => undefined,
  streamOpened: () => undefined,
  streamEnded: () => undefined,
  values: () => Promise.resolve([]),
};

/** What is measured when it is asked for. Processes that see the same thing give the largest, others their sum. */
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
  for (const [name, help, aggregator, measure] of table)
    new Gauge({
      name: `chartgraph_${name}`,
      help,
      aggregator,
      registers,
      collect() {
        this.set(measure());
      },
    });
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
