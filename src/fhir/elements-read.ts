import { structureOf } from './endpoint/rules/structures.js';
import {
  chosenNamespace,
  fhirNamespace,
  firstNamespace,
  mapping,
  rdf,
  wordsNamespace,
} from '../rdf/vocabulary.js';
import type { FhirResource } from './fhir-resources.js';
import type { Edge } from './pattern-edges.js';
import { ReadElement } from './read-element.js';
import { isChoice } from './element-texts.js';

/** The FHIR elements that the patterns of a query read. */
export interface ElementsRead {
  /** Elements by the type of their resource. */
  readonly types: ReadonlyMap<string, ReadElement>;
  /** The elements that each variable stands for. */
  readonly nodes: ReadonlyMap<string, ReadonlySet<ReadElement>>;
}

/**
 * Derives from the triple patterns of a query which elements of which resources it reads: a variable of the type
 * `fhir:Condition` is such a resource, and each property leads to the element of that name. The target of a
 * reference has the type that the query gives it.
 */
export function elementsRead(edges: readonly Edge[]): ElementsRead {
  const types = new Map<string, ReadElement>();
  const nodes = new Map<string, Set<ReadElement>>();
  for (const { subject, path, object } of edges) {
    const type =
      path?.length === 1 && path[0] === rdf.type && 'iri' in object ? typeOf(object.iri) : undefined;
    if (type === undefined) continue;
    const root = types.get(type) ?? new ReadElement(type, type);
    types.set(type, root);
    add(nodes, subject, root);
  }
  let changed = true;
  while (changed) {
    changed = false;
    for (const { subject, path, object } of edges) {
      if (path === undefined || path[0] === rdf.type) continue;
      for (const start of nodes.get(subject) ?? []) {
        const end = follow(start, path);
        if (end && 'node' in object && add(nodes, object.node, end)) changed = true;
      }
    }
  }
  return { types, nodes };
}

/** Returns the type of resource in a FHIR IRI: `Condition`. */
function typeOf(iri: string): string | undefined {
  return iri.startsWith(fhirNamespace) ? iri.slice(fhirNamespace.length) : undefined;
}

/** The namespaces that have elements under their FHIR name, and what a query reads of them there. */
const NAMESPACES = [
  [fhirNamespace, 'all'],
  [firstNamespace, 'first'],
  [chosenNamespace, 'chosen'],
] as const;

/** Follows a path from an element and marks what it reads; undefined if it leaves the resource. */
function follow(start: ReadElement, path: readonly string[]): ReadElement | undefined {
  let element = start;
  for (const iri of path) {
    if (iri === mapping.link) element.link = true;
    else if (iri === mapping.index) element.index = true;
    else if (iri === mapping.means) element.means = true;
    else if (iri === rdf.value) element.value = true;
    else if (iri.startsWith(wordsNamespace)) readWords(element, iri.slice(wordsNamespace.length));
    else {
      const [namespace, how] = NAMESPACES.find(([start]) => iri.startsWith(start)) ?? [];
      if (namespace === undefined) return undefined;
      element = element.child(iri.slice(namespace.length));
      element[how] = true;
      continue;
    }
    return undefined;
  }
  return element;
}

/** Words are those of an element, or of `value[x]` of any type. */
function readWords(holder: ReadElement, name: string): void {
  holder.said.add(name);
  const known = [...(structureOf(holder.type ?? '')?.elements.keys() ?? [])];
  const choices = known.includes(name) ? [] : known.filter((key) => isChoice(key, name));
  for (const key of choices.length === 0 ? [name] : choices) holder.child(key).words = true;
}

/** Returns the elements of a resource that some query reads, but not the one that made a statement of it. */
export function readByOthers(
  { type, value }: Pick<FhirResource, 'type' | 'value'>,
  all: ElementsRead['types'],
  own: ElementsRead['types'],
): string[] {
  const [known, read] = [all.get(type)?.children, own.get(type)?.children];
  return Object.keys(value)
    .filter((key) => known?.has(key) === true && read?.has(key) !== true)
    .map((key) => `${type}.${key}`);
}

/** Returns the element that a path leads to, or the one where it leaves the resource. */
export function elementAlong(start: ReadElement, path: readonly string[]): ReadElement | undefined {
  const isElement = (iri: string): boolean => NAMESPACES.some(([namespace]) => iri.startsWith(namespace));
  const end = path.findIndex((iri) => !isElement(iri));
  const element = follow(start, end < 0 ? path : path.slice(0, end));
  const words = path[end]?.startsWith(wordsNamespace) ? path[end].slice(wordsNamespace.length) : undefined;
  if (!element || words === undefined) return element;
  return element.children.get(words) ?? new ReadElement(`${element.path}.${words}[x]`, undefined);
}

function add(nodes: Map<string, Set<ReadElement>>, name: string, element: ReadElement): boolean {
  const known = nodes.get(name);
  if (!known) nodes.set(name, new Set([element]));
  else if (known.has(element)) return false;
  else known.add(element);
  return true;
}
