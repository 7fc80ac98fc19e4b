import { fork } from 'node:child_process';
import { once } from 'node:events';
import parse from 'parse-prometheus-text-format';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/http/container-metrics.js';
import { noMetrics } from './no-metrics.js';
import { startMetrics, type Gather } from '../../../src/services/metrics/metrics-listener.js';
import { gatherFromWorkers, type MetricsWorker } from '../../../src/services/metrics/worker-metrics.js';

function counting(): Metrics {
  return createMetrics({
    calls: ['getMedications'],
    queued: () => 4,
    workingSetQuads: () => 1e9,
    storeBytes: () => 77,
    accessLog: () => ({ recorded: 5, lag: 1500 }),
    exports: () => [],
  });
}

async function listening(gather: Gather): Promise<string> {
  const { url, close } = await startMetrics({ host: '127.0.0.1', port: 0 }, gather);
  onTestFinished(close);
  return url;
}

/** The samples of a metric as a real parser of the format reads them. */
async function samples(url: string, name: string) {
  const families = parse(await (await fetch(url)).text());
  return families.find((family) => family.name === name)?.metrics;
}

describe('the metrics listener', () => {
  test('gives what was counted in the text format of Prometheus', async () => {
    const metrics = counting();
    metrics.request('getMedications', 200, 0.003);
    metrics.request('getMedications', 200, 0.3);
    metrics.request(undefined, 404, 0.001);
    metrics.cache('hit');
    metrics.signIn('throttled');
    metrics.refused('nonce_used');
    for (let count = 0; count < 3; count++) metrics.streamOpened();
    metrics.streamEnded('token');
    const url = await listening(async () => [await metrics.values()]);
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await samples(url, 'chartgraph_requests_total')).toEqual([
      { labels: { call: 'getMedications', status: '200' }, value: '2' },
      { labels: { call: 'none', status: '404' }, value: '1' },
    ]);
    // The parser joins the histograms of all labels into one, so these are read as text.
    const text = await (await fetch(url)).text();
    for (const line of [
      '_bucket{le="0.0025",call="getMedications"} 0',
      '_bucket{le="0.005",call="getMedications"} 1',
      '_bucket{le="+Inf",call="getMedications"} 2',
      '_count{call="getMedications"} 2',
      '_count{call="none"} 1',
    ])
      expect(text).toContain(`chartgraph_request_duration_seconds${line}\n`);
    expect(await samples(url, 'chartgraph_cache_total')).toEqual([
      { labels: { outcome: 'hit' }, value: '1' },
    ]);
    expect(await samples(url, 'chartgraph_sign_ins_total')).toMatchObject([
      { labels: { outcome: 'throttled' } },
    ]);
    expect(await samples(url, 'chartgraph_refused_total')).toMatchObject([
      { labels: { reason: 'nonce_used' } },
    ]);
    expect(await samples(url, 'chartgraph_change_streams')).toEqual([{ value: '2' }]);
    expect(await samples(url, 'chartgraph_change_streams_ended_total')).toEqual([
      { labels: { reason: 'token' }, value: '1' },
    ]);
    expect(await samples(url, 'chartgraph_query_queue_length')).toEqual([{ value: '4' }]);
    expect(await samples(url, 'chartgraph_working_set_quads')).toEqual([{ value: '1000000000' }]);
    expect(await samples(url, 'chartgraph_store_bytes')).toEqual([{ value: '77' }]);
    expect(await samples(url, 'chartgraph_access_log_lag_seconds')).toEqual([{ value: '1.5' }]);
    expect(await samples(url, 'chartgraph_access_log_entries_total')).toEqual([{ value: '5' }]);
    expect(Number((await samples(url, 'chartgraph_resident_memory_bytes'))?.[0]?.value)).toBeGreaterThan(1e6);
  });

  test('no label holds what a caller made up', async () => {
    const metrics = counting();
    metrics.request('/records/1000001/medications/', 200, 0.1);
    metrics.refused('Patient Smith, 1000001');
    const url = await listening(async () => [await metrics.values()]);
    const text = await (await fetch(url)).text();
    expect(text).not.toMatch(/1000001|Smith/);
    expect(text).toContain('chartgraph_requests_total{call="other",status="200"} 1');
  });

  test('answers other paths with 404, other methods with 405, and what cannot be gathered with 503', async () => {
    const url = await listening(() => Promise.reject(new Error('secret')));
    expect((await fetch(new URL('/', url))).status).toBe(404);
    const posted = await fetch(url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const failed = await fetch(url);
    expect(failed.status).toBe(503);
    expect(await failed.text()).not.toContain('secret');
  });

  test('an address that is taken is an error at once', async () => {
    const url = new URL(await listening(() => Promise.resolve([])));
    const taken = { host: '127.0.0.1', port: Number(url.port) };
    await expect(startMetrics(taken, () => Promise.resolve([]))).rejects.toThrow(
      `Port ${taken.port} on 127.0.0.1 is taken; choose another with --metrics.`,
    );
    // Of the addresses for documentation (RFC 5737): no machine has it.
    await expect(startMetrics({ host: '192.0.2.1', port: 0 }, () => Promise.resolve([]))).rejects.toThrow(
      'This machine has no address 192.0.2.1; choose another with --metrics.',
    );
  });

  test('where nobody asks, nothing is counted', async () => {
    noMetrics.request('getMedications', 200, 1);
    expect(await noMetrics.values()).toEqual([]);
  });
});

async function startWorker(
  requests: number,
  ...more: string[]
): Promise<MetricsWorker & { end: () => Promise<void>; stop: () => void }> {
  const child = fork(new URL('counting-worker.mjs', import.meta.url), [String(requests), ...more]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return {
    id: child.pid ?? 0,
    isConnected: () => child.connected,
    send: (message) => child.send(message),
    on: (event, listener) => child.on(event, listener),
    off: (event, listener) => child.off(event, listener),
    stop: () => child.kill('SIGSTOP'),
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('the metrics of several workers', () => {
  test('are summed, and the sums do not fall when a worker dies; of what all see there is one', async () => {
    const workers = await Promise.all([startWorker(3), startWorker(4)]);
    const url = await listening(gatherFromWorkers(() => workers));
    const counted = async () => (await samples(url, 'chartgraph_requests_total'))?.[0]?.value;
    expect(await counted()).toBe('7');
    expect(await samples(url, 'chartgraph_query_queue_length')).toEqual([{ value: '4' }]);
    expect(await samples(url, 'chartgraph_store_bytes')).toEqual([{ value: '500' }]);
    expect(await samples(url, 'chartgraph_access_log_lag_seconds')).toEqual([{ value: '0.25' }]);
    await workers[0]?.end();
    workers.shift();
    expect(await counted()).toBe('7');
    workers.push(await startWorker(10));
    expect(await counted()).toBe('17');
    expect(await samples(url, 'chartgraph_query_queue_length')).toEqual([{ value: '4' }]);
    for (const worker of workers.splice(0)) await worker.end();
    expect(await counted()).toBe('17');
    expect(await (await fetch(url)).text()).toContain(
      'chartgraph_request_duration_seconds_count{call="getMedications"} 17\n',
    );
  });

  test('one that cannot tell its numbers goes on, and keeps nobody from theirs', async () => {
    const [damaged, other] = await Promise.all([startWorker(3, 'damaged'), startWorker(4)]);
    const url = await listening(gatherFromWorkers(() => [damaged, other], 300));
    for (let time = 0; time < 2; time++)
      expect((await samples(url, 'chartgraph_requests_total'))?.[0]?.value).toBe('4');
    expect(damaged.isConnected()).toBe(true);
  });

  test('one that stands still does not keep the numbers of the others', async () => {
    const [still, other] = await Promise.all([startWorker(3), startWorker(4)]);
    const url = await listening(gatherFromWorkers(() => [still, other], 300));
    expect(await samples(url, 'chartgraph_query_queue_length')).toEqual([{ value: '4' }]);
    still.stop();
    expect((await samples(url, 'chartgraph_requests_total'))?.[0]?.value).toBe('7');
  });
});
