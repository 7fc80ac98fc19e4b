import fc from 'fast-check';
import { runs } from './runs.js';

// Property tests try other values in each run, and say the seed of those that failed. With a seed given, two runs of
// the same code try the same: a check of a change is not to fail of what was there before it.
const seed = process.env.CHARTGRAPH_TEST_SEED;
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100),
  ...(seed !== undefined && { seed: Number(seed) }),
});
