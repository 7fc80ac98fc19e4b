// One more process that serves a prepared data directory, for tests with several of them.
import { serve } from '../../../dist/main.js';
import { pino } from 'pino';

const container = await serve({ ...JSON.parse(process.argv[2] ?? '{}'), log: pino({ level: 'silent' }) });
console.log(container.url);
