import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { parseCLI } from 'vitest/node';

/**
 * What `npm test` leaves to `npm run check` and `.ci/run`: kills, load, many processes, browsers, and servers that this
 * project only speaks to.
 */
const slow = 'test/**/*.slow.test.ts';

/** Tests of how long an answer waits: each in a process as a server has it, when all others are over. */
const alone = 'test/**/*.alone.test.ts';

const setup = ['test/setup/scratch.ts', 'test/setup/seeded-directory.ts', 'test/setup/seeded-store.ts'];

/** What a run of some of the tests reports stands apart from what the last full run did. */
const reports = runsAll(process.argv.slice(2)) ? 'coverage' : join('coverage', 'partial');

export default defineConfig({
  // Benchmarks import the built program; tests of what they share with it take its source.
  resolve: {
    alias: [{ find: /^(?:\.\.\/)+dist\/(.*)\.js$/, replacement: resolve(import.meta.dirname, 'src/$1.ts') }],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [slow, alone],
          globalSetup: setup,
          setupFiles: ['test/setup/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [slow],
          // Some of them wait for others most of the time: one more than there are processors.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
          globalSetup: setup,
          setupFiles: ['test/setup/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [alone],
          isolate: true,
          execArgv: [],
          sequence: { groupOrder: 2 },
          globalSetup: ['test/setup/scratch.ts'],
        },
      },
    ],
    // Some start servers and processes, which takes long where many others work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 100_000 } },
    pool: 'forks',
    // Files of one process share what they import: to read the ontology again for each took most of the time.
    isolate: false,
    maxWorkers: availableParallelism(),
    // The processes of tests take all processors already: threads that collect garbage for one of them only wait for
    // each other, which took up to half of the time of tests that open many stores. Room for more young objects saves a
    // third of the time of tests that parse and check much.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
    provide: { reports },
    reporters: ['default', ['json', { outputFile: join(reports, 'results.json') }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // What runs in a browser is not run by these processes.
      exclude: ['src/analysts/browser/**'],
      reporter: ['text-summary'],
      reportsDirectory: reports,
      thresholds: { statements: 80, branches: 70, functions: 80, lines: 80 },
    },
  },
});

function runsAll(args: readonly string[]): boolean {
  const { filter, options } = parseCLI(['vitest', ...args], { allowUnknownOptions: true });
  const chosen = [
    'testNamePattern',
    'project',
    'shard',
    'changed',
    'related',
    'exclude',
    'dir',
    'tagsFilter',
  ];
  return filter.length === 0 && !chosen.some((name) => name in options);
}
