/**
 * How many values a property is tried with: `all` of them where CI asks for it, else a fifth, since a developer runs the
 * tests many times and each run tries others.
 */
export function runs(all: number): number {
  return process.env['CHARTGRAPH_TEST_RUNS'] === 'all' ? all : Math.ceil(all / 5);
}
