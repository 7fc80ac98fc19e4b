import { structureOf } from '../../src/fhir/endpoint/rules/structures.js';
import type { Mapping } from '../../src/fhir/mapping.js';
import type { ReadElement } from '../../src/fhir/read-element.js';

/** What becomes of an element of a resource. */
export type Fate = 'read' | 'decides' | 'left out' | 'told';

/**
 * What becomes of each element of a type that the mapping reads, by path: those of R4 at the root and in the parts that
 * it reads. `decides` is a modifier for which the tables say with which values nothing changes.
 */
export function fatesOf(type: string, { elements, losses }: Mapping): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  const walk = (element: ReadElement): void => {
    for (const [key, { type: inner, isModifier }] of structureOf(element.type ?? '')?.elements ?? []) {
      const path = `${element.path}.${key}`;
      const child = element.children.get(key);
      if (key === 'resourceType' || key === 'id' || key === 'extension') continue;
      if (child && !child.isTold && inner.includes('.')) walk(child);
      else if (child || element.isTold || element.decides(key)) fates.set(path, 'read');
      else if (isModifier) fates.set(path, 'decides');
      else fates.set(path, losses.isLeftOut(path) ? 'left out' : 'told');
    }
  };
  const root = elements.get(type);
  if (root) walk(root);
  return fates;
}

/** The table of docs/fhir.md: for each type what is read, what decides, and what is not read. */
export function elementTable(mapping: Mapping): string {
  const types = [...mapping.elements.keys()].sort();
  const lines = types.map((type) => {
    const fates = [...fatesOf(type, mapping)];
    const named = (fate: Fate): string => {
      const paths = fates.filter(([, each]) => each === fate).map(([path]) => path.slice(type.length + 1));
      return joined(paths);
    };
    return `| ${type} | ${named('read')} | ${named('decides')} | ${named('told')} |`;
  });
  return [
    '| Resource | Read | Leaves out what it stands in, by its value | Not read, and told |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Names of elements, those of one choice of types as one: `value[x]`. */
function joined(paths: readonly string[]): string {
  const names = paths.map((path) =>
    path.replace(
      /\b(value|effective|onset|abatement|performed|occurrence|deceased|multipleBirth|medication|born|age|reported|statusReason)[A-Z]\w*$/u,
      '$1[x]',
    ),
  );
  return [...new Set(names)].map((name) => `\`${name}\``).join(', ');
}

/** Whether the mapping reads an element, or one in which it stands whole. */
export function isReadPath(path: string, { elements }: Pick<Mapping, 'elements'>): boolean {
  const [type = '', ...names] = path.split('.');
  let element = elements.get(type);
  for (const name of names) {
    if (!element) return false;
    if (element.isTold || element.decides(name) || element.modifiers.includes(name)) return true;
    if (element.link && ['reference', 'type'].includes(name)) return true;
    element = element.children.get(name);
  }
  return element !== undefined;
}
