import type { CallModel } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';

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
  const template = PathTemplate.of(path);
  if (template.parameters.length === 0) return [{}];
  const fitting = cardinality === 'single' ? template : template.throughLastParameter();
  return names.flatMap((name) => {
    // What has a fragment is a part of a resource.
    const isResource = name.startsWith(base) && !name.includes('#');
    const found = isResource ? fitting.match(name.slice(base.length)) : undefined;
    return found ? [found] : [];
  });
}
