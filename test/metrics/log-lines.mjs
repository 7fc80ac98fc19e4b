// Logs lines now and then, and says how many bytes its memory has grown by. With --expose-gc.
import { setTimeout as wait } from 'node:timers/promises';
import { containerLog } from '../../dist/metrics/container-log.js';

const ROUNDS = 60;
const LINES = 500;
const taken = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const log = containerLog();
const text = 'x'.repeat(500);
const round = async () => {
  for (let line = 0; line < LINES; line++) log.info({ text }, 'é');
  await wait(5);
};
for (let at = 0; at < 10; at++) await round();
const before = taken();
for (let at = 0; at < ROUNDS; at++) await round();
process.stdout.write(String(taken() - before));
