// Writes the package chartgraph-client to dist/chartgraph-client, ready for `npm publish`, and what browsers need of
// chartgraph/endpoint. `npm run build` runs it after the compiler.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { noticesOf } from '../notices.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const folder = join(dist, 'chartgraph-client');
const own = await json(join(import.meta.dirname, 'package.json'));
const { version, dependencies } = await json(join(root, 'package.json'));
const external = [...Object.keys(own.dependencies), ...Object.keys(own.peerDependencies)];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const esm = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};
const [parts, bundle] = await Promise.all([
  build({
    ...esm,
    // One chunk for what both have in common.
    splitting: true,
    entryPoints: [join(dist, 'client', 'client.js'), join(dist, 'client', 'other-formats.js')],
    external,
    outdir: folder,
  }),
  build({
    ...esm,
    entryPoints: [join(dist, 'client', 'client.js')],
    minify: true,
    outfile: join(folder, 'bundle.js'),
  }),
  endpoint(),
  declarations(['client/client.d.ts', 'client/other-formats.d.ts']),
]);

const versions = (names) => Object.fromEntries(Object.keys(names).map((name) => [name, dependencies[name]]));
await writeFile(
  join(folder, 'package.json'),
  JSON.stringify(
    {
      ...own,
      version,
      dependencies: versions(own.dependencies),
      peerDependencies: versions(own.peerDependencies),
    },
    null,
    2,
  ),
);
await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
await writeFile(join(folder, 'NOTICE'), await noticesOf([parts.metafile, bundle.metafile]));

/** chartgraph/endpoint reads schema and tables from files; browsers have none, so they get them with the code. */
function endpoint() {
  const schema = {
    name: 'schema',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /[\\/]endpoint[\\/]schema\.js$/ }, async () => ({
        contents: `
          export const endpointSchemaText = ${JSON.stringify(await readFile(join(dist, 'fhir', 'endpoint', 'endpoint.schema.json'), 'utf8'))};
          export const endpointSchema = JSON.parse(endpointSchemaText);`,
      }));
      onLoad({ filter: /[\\/]endpoint[\\/]r4\.js$/ }, async () => ({
        contents: `export const r4 = JSON.parse(${JSON.stringify(await readFile(join(dist, 'fhir', 'endpoint', 'r4.json'), 'utf8'))});`,
      }));
      onResolve({ filter: /^node:buffer$/ }, ({ path }) => ({ path, namespace: 'platform' }));
      onLoad({ filter: /.*/, namespace: 'platform' }, () => ({
        contents: `
          export function isUtf8(bytes) {
            try {
              new TextDecoder('utf-8', { fatal: true }).decode(bytes);
              return true;
            } catch {
              return false;
            }
          }`,
      }));
    },
  };
  return build({
    ...esm,
    entryPoints: [join(dist, 'fhir', 'endpoint', 'endpoint.js')],
    outfile: join(dist, 'fhir', 'endpoint', 'endpoint.browser.js'),
    packages: 'external',
    plugins: [schema],
  });
}

/** Copies the declarations that others name, directly or not. */
async function declarations(entries) {
  const open = entries.map((entry) => join(dist, entry));
  const seen = new Set(open);
  for (const file of open) {
    const text = await readFile(file, 'utf8');
    const target = join(folder, 'types', relative(dist, file));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
    for (const [, path] of text.matchAll(/from '(\.[^']*)\.js'/g)) {
      const next = join(dirname(file), `${path}.d.ts`);
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
}

async function json(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}
