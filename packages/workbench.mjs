// Bundles the program of the workbench for browsers. `npm run build` runs it.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'dist', 'analysts', 'browser');
const { metafile } = await build({
  entryPoints: [join(root, 'src', 'analysts', 'browser', 'workbench.ts')],
  outfile: join(folder, 'workbench.js'),
  bundle: true,
  minify: true,
  target: 'es2022',
  logLevel: 'warning',
  metafile: true,
});
await writeFile(join(folder, 'NOTICE'), await noticesOf([metafile]));
