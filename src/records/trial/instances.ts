import type { CallModel } from '../../ontology/model.js';
import { placeholders } from '../../ontology/term-names.js';

/** Decoded path parameters of one request. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * The requests that a GET call can be asked with, going by what graphs there are: for one resource every graph whose
 * name its path fits, for a list every resource that its path begins with, one request for a path without parameters.
 * @param names all graph names @param base without a slash at its end
 */
export function instancesOf(
  { path, cardinality }: CallModel,
  names: readonly string[],
  base: string,
): PathParameters[] {
  const fitting = cardinality === 'single' ? path : path.slice(0, path.lastIndexOf('}') + 1);
  const parameters = placeholders(fitting);
  if (parameters.length === 0) return [{}];
  const pattern = new RegExp(`^${patternOf(fitting)}$`, 'u');
  const found = names.flatMap((name) => {
    const values = name.startsWith(base) ? pattern.exec(name.slice(base.length)) : null;
    return values ? [values.slice(1)] : [];
  });
  return found.map((values) => Object.fromEntries(parameters.map((name, i) => [name, values[i] ?? ''])));
}

function patternOf(path: string): string {
  return path
    .replace(/\/$/u, '')
    .split(/\{[^{}]*\}/u)
    .map((text) => text.replace(/[.\\^$+?()[\]{}|*]/gu, '\\$&'))
    .join('([^/#]+)');
}

/** The IRI that a request addresses: base and filled path, without a slash at its end. */
export function resourceOf({ path }: CallModel, values: PathParameters, base: string): string {
  const filled = path.replace(/\{([^{}]*)\}/gu, (_, name: string) => values[name] ?? '');
  return base + filled.replace(/\/$/u, '');
}
