import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const bench = join(root, 'bench');
const NAMED = /import \{([^}]*)\} from '(?:\.\.\/)+dist\/([^']+)\.js'/g;

// Most run once in a while only, so what a change has renamed for them shows here.
test('what benchmarks import is there', async () => {
  const files = readdirSync(bench, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mjs'),
  );
  const missing: string[] = [];
  let seen = 0;
  for (const file of files) {
    for (const [, names = '', module = ''] of readFileSync(join(bench, file), 'utf8').matchAll(NAMED)) {
      const source = join(root, 'src', `${module}.ts`);
      const found = (await import(source)) as object;
      for (const name of names.split(',').flatMap((each) => /^\s*(\w+)/.exec(each)?.[1] ?? [])) {
        seen++;
        if (!(name in found)) missing.push(`${file}: ${name} of ${module}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});
