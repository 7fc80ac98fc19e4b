import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const modules = resolve(import.meta.dirname, '..', 'node_modules');

/**
 * The licences of the packages whose code esbuild put into files.
 * @param {readonly import('esbuild').Metafile[]} metafiles what esbuild says of its builds
 * @returns {Promise<string>} a text to stand beside those files
 */
export async function noticesOf(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = await Promise.all([...new Set(names)].sort().map(notice));
  return texts.join('\n\n----\n\n');
}

async function notice(name) {
  const folder = join(modules, name);
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`;
  const { author, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `${name}\n\n${license}, ${typeof author === 'object' ? author.name : author}`;
}
