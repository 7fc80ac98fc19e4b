import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small change of the folder `broken/valid`, and where what it breaks is to be found. */
export interface Mutilation {
  /** The rule that it breaks: what stands before the first dot of the file's name. */
  readonly id: string;
  /** The file's name without its extension; a rule may have several mutations. */
  readonly name: string;
  /** `file:line`, or only a file where there is no line to name. */
  readonly foundAt: string;
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  /** Undefined for a file that is new. */
  readonly from: string | undefined;
  /** Undefined for a file that goes. */
  readonly to: string | undefined;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** Reads `broken/*.patch`: a first line that says where the fault is found, then hunks as of a unified diff. */
export async function readMutilations(folder: string): Promise<Mutilation[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.patch'));
  const read = await Promise.all(
    names.map(async (name) => {
      const [foundAt = '', ...lines] = (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
      return {
        id: name.replace(/\..*/, ''),
        name: name.slice(0, -'.patch'.length),
        foundAt,
        hunks: hunksOf(lines),
      };
    }),
  );
  return read.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function hunksOf(lines: readonly string[]): Hunk[] {
  const hunks: { from: string | undefined; to: string | undefined; old: string[]; new: string[] }[] = [];
  const file = (line: string): string | undefined =>
    line.endsWith(' /dev/null') ? undefined : line.slice(4);
  let from: string | undefined;
  let to: string | undefined;
  let hunk: (typeof hunks)[number] | undefined;
  for (const line of lines) {
    if (line.startsWith('--- ')) {
      from = file(line);
      hunk = undefined;
    } else if (line.startsWith('+++ ')) to = file(line);
    else if (line === '@@') hunk = undefined;
    else {
      if (!hunk) hunks.push((hunk = { from, to, old: [], new: [] }));
      if (line[0] !== '+') hunk.old.push(line.slice(1));
      if (line[0] !== '-') hunk.new.push(line.slice(1));
    }
  }
  return hunks;
}

/** A copy of the valid folder with a mutilation, for as long as `use` takes. */
export async function mutilated<T>(
  valid: string,
  { hunks }: Pick<Mutilation, 'hunks'>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-broken-'));
  try {
    await cp(valid, folder, { recursive: true });
    for (const hunk of hunks) await apply(folder, hunk);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function apply(folder: string, hunk: Hunk): Promise<void> {
  const to = hunk.new.join('\n');
  if (hunk.to === undefined) return rm(join(folder, hunk.from ?? ''));
  if (hunk.from === undefined) {
    const added = join(folder, hunk.to);
    await mkdir(dirname(added), { recursive: true });
    return writeFile(added, `${to}\n`);
  }
  const file = join(folder, hunk.from);
  const pieces = (await readFile(file, 'utf8')).split(hunk.old.join('\n'));
  if (pieces.length !== 2)
    throw new Error(`${hunk.from} holds ${pieces.length - 1} times: ${hunk.old.join('\n')}`);
  await writeFile(file, pieces.join(to));
}
