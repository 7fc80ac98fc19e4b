// A worker that counts as many requests as it is told to, and answers for them.
import { createMetrics } from '../../../dist/http/container-metrics.js';
import { answerMetricsRequests } from '../../../dist/services/metrics/worker-metrics.js';

const metrics = createMetrics({
  calls: ['getMedications'],
  queued: () => 2,
  workingSetQuads: () => 1000,
  storeBytes: () => 500,
  accessLog: () => ({ recorded: 3, lag: 250 }),
  exports: () => {
    if (process.argv[3] === 'damaged') throw new Error('something that is counted cannot be read');
    return [];
  },
});
for (let at = 0; at < Number(process.argv[2]); at++) metrics.request('getMedications', 200, 0.003);
answerMetricsRequests(metrics);
process.send('ready');
