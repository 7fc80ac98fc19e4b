import { execFileSync } from 'node:child_process';

/** Whether Python can import a module here. */
export function canImport(module: string): boolean {
  try {
    execFileSync('python3', ['-c', `import ${module}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
