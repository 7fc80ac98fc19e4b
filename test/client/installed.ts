import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** How a program ended. */
export interface Ending {
  readonly code: number | null;
  readonly output: string;
}

/** A project of its own, outside of this one, in which the packed package is installed. */
export interface Project {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  /** Runs plain Node.js in the folder. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ending>;
  /** Compiles the folder with the strictest settings, declarations of packages included. */
  tsc(): Promise<Ending>;
  remove(): Promise<void>;
}

/** Packs both packages as they would be published, and installs them with links to what they depend on. */
export async function installPackages(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-installed-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await install(root, 'chartgraph', folder);
  await install(join(root, 'dist', 'chartgraph-client'), 'chartgraph-client', folder);
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  await write('package.json', JSON.stringify({ name: 'an-app', private: true, type: 'module' }));
  await write('tsconfig.json', JSON.stringify(strict));
  return {
    folder,
    write,
    node: (args, env = {}) => execute(process.execPath, args, folder, env),
    tsc: () =>
      execute(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function install(from: string, name: string, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const packed = await execute('npm', args, from);
  const archive = packed.output.trim().split('\n').at(-1) ?? '';
  const unpacked = await execute('tar', ['-xzf', join(folder, archive), '-C', modules], folder);
  if (unpacked.code !== 0) throw new Error(`${packed.output}${unpacked.output}`);
  await rename(join(modules, 'package'), join(modules, name));
}

const strict = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    outDir: 'out',
  },
  include: ['*.ts'],
};

function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ending> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CHARTGRAPH_|NODE_|VITEST)/.test(name));
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((done, failed) => {
    child.on('error', failed).on('close', (code) => {
      done({ code, output });
    });
  });
}
