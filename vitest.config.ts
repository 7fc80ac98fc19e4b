import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { parseCLI } from 'vitest/node';

/**
 * Tests with servers, processes or a browser, the specification suites, and those that try very many cases or fill
 * the store or import most of the program. Every other test is a unit test.
 */
const integration = [
  'test/bench-imports.test.ts',
  'test/{browser,spec}/**/*.test.ts',
  'test/analysts/{analysts,restored-levels,sparql-server}.test.ts',
  'test/call-tests/{linked-post,mutants,shipped-suite}.test.ts',
  'test/cli/!(colour|settings).test.ts',
  'test/client/!(types).test.ts',
  'test/derive/openapi.test.ts',
  'test/deploy/{balancer,failovers,health-check,systemd-unit}.test.ts',
  'test/disk/shared/*.test.ts',
  'test/disk/{backup,backup-documents,data-directory,full-disk,last-commit,lock,nonces,remove-on-signal,restore-grants}.test.ts',
  'test/endpoint/{differential,r4-tables,rdf,schema,validate}.test.ts',
  'test/endpoint/hapi/*.test.ts',
  'test/fhir/{bad-input,load-fhir,mapping-threads,moved-resources,other-people,synthea}.test.ts',
  'test/http/!(accept|bag|byte-range|client-address|conditions|framed-answer|inline-file|routes|sender-budgets|target).test.ts',
  'test/http/oauth/*.test.ts',
  'test/http/pages/!(session-cookie).test.ts',
  'test/ontology/broken.test.ts',
  'test/access-log/{access-log,processes,sealed-entries,verify}.test.ts',
  'test/metrics/{container-log,metrics}.test.ts',
  'test/rdf/posted-work.test.ts',
  'test/query/leak.test.ts',
  'test/rdf/rdfxml-properties.test.ts',
  'test/records/{documents,long-list,sample-patients,stored-list,synth}.test.ts',
  'test/records/trial/trial.test.ts',
  'test/store/{care,crash,embedded,history,processes,recovery,working-sets}.test.ts',
  'test/validate/{agreement,mutations,shapes}.test.ts',
];

/** Tests of how long an answer waits: each in a process as a server has it, when all others are over. */
const quiet = ['test/store/renewal-pause.test.ts'];

/** What a run of some of the tests reports stands apart from what the last full run did. */
const reports = runsAll(process.argv.slice(2)) ? 'coverage' : join('coverage', 'partial');

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...integration, ...quiet],
          globalSetup: ['test/setup/scratch.ts'],
          setupFiles: ['test/setup/alone.ts', 'test/setup/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // These start servers and processes, which takes long where many others work.
          testTimeout: 180_000,
          include: integration,
          globalSetup: [
            'test/setup/scratch.ts',
            'test/setup/seeded-directory.ts',
            'test/setup/seeded-store.ts',
          ],
          setupFiles: ['test/setup/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'quiet',
          testTimeout: 180_000,
          include: quiet,
          isolate: true,
          execArgv: [],
          sequence: { groupOrder: 1 },
          globalSetup: ['test/setup/scratch.ts'],
        },
      },
    ],
    testTimeout: 60_000,
    // Hooks start servers and processes, which takes long where many others work.
    hookTimeout: 180_000,
    pool: 'forks',
    // Files of one process share what they import: to read the ontology again for each took most of the time.
    isolate: false,
    maxWorkers: '100%',
    // The processes of tests take all processors already: threads that collect garbage for one of them only wait for
    // each other, which took up to half of the time of tests that open many stores.
    execArgv: ['--single-threaded-gc'],
    provide: { reports },
    reporters: ['default', ['json', { outputFile: join(reports, 'results.json') }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // What runs in a browser is not run by these processes.
      exclude: ['src/browser/**'],
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
