import { readPaths } from '../ontology/filter-patterns.js';
import { expandName } from '../ontology/term-names.js';
import { namedNode, type Term } from '../rdf/terms.js';
import { rdf } from '../rdf/vocabulary.js';
import type { NaiveData } from './naive-data.js';

/** A triple of a pattern with the graph it stands in. */
interface Part {
  readonly graph: string;
  readonly subject: string;
  readonly paths: readonly (readonly string[])[];
  /** A variable with its question mark, or an IRI. */
  readonly object: string;
}

export type NaivePattern = readonly Part[];

/**
 * Reads the pattern of a filter as triples in graphs, with sequences and alternatives of properties.
 * @param code the IRI in the place of the value
 * @returns undefined for any other SPARQL, of which the suite has no opinion
 */
export function readPattern(pattern: string, name: string, code: string): NaivePattern | undefined {
  const holes = new RegExp(`<[^<>\\s]*\\{${name}\\}>|\\{${name}\\}|\\$${name}\\b`, 'g');
  const text = pattern.replace(holes, `<${code}>`);
  const blocks = [...text.matchAll(/GRAPH\s+(\?\w+)\s*\{([^{}]*)\}/gi)];
  const rest = text.replace(/GRAPH\s+\?\w+\s*\{[^{}]*\}/gi, '').replace(/[\s.]/g, '');
  if (blocks.length === 0) return /[{}]/.test(text) ? undefined : partsOf('?v', text);
  if (rest !== '') return undefined;
  const parts = blocks.map(([, graph = '', inner = '']) => partsOf(graph, inner));
  return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
}

function partsOf(graph: string, text: string): Part[] | undefined {
  const parts: Part[] = [];
  for (const sentence of text.split(/\s\.(?=\s|$)/).filter((each) => each.trim() !== '')) {
    const [first = '', ...more] = sentence.trim().split(/\s*;\s*/);
    const [subject = '', ...rest] = first.split(/\s+/);
    for (const said of [rest.join(' '), ...more].filter((each) => each !== '')) {
      const [, path = '', object = ''] = /^(.*\S)\s+(\S+)$/s.exec(said) ?? [];
      const paths = path === 'a' ? [[rdf.type]] : readPaths(path);
      const value = object.startsWith('?') ? object : iriOf(object);
      if (!subject.startsWith('?') || paths.length === 0 || value === undefined) return undefined;
      parts.push({ graph, subject, paths, object: value });
    }
  }
  return parts;
}

const iriOf = (text: string): string | undefined => /^<([^<>]+)>$/.exec(text)?.[1] ?? expandName(text);

type Bindings = ReadonlyMap<string, Term>;

/** Whether a pattern holds of a resource, by trying everything: slow, and plain to read. */
export function holdsOf(pattern: NaivePattern, resource: string, data: NaiveData): boolean {
  let solutions: Bindings[] = [new Map<string, Term>([['?v', namedNode(resource)]])];
  for (const part of pattern) solutions = solutions.flatMap((known) => extended(part, known, data));
  return solutions.length > 0;
}

function extended({ graph, subject, paths, object }: Part, known: Bindings, data: NaiveData): Bindings[] {
  const named = known.get(graph)?.value;
  const graphs = named === undefined ? data.names() : [named];
  return graphs.flatMap((name) => {
    const bound = known.get(subject);
    const starts = bound ? [bound] : data.subjects(name);
    return starts.flatMap((start) =>
      data.reached(name, start, paths).flatMap((end) => {
        const asked = object.startsWith('?') ? known.get(object) : namedNode(object);
        if (asked && !asked.equals(end)) return [];
        return [new Map([...known, [graph, namedNode(name)], [subject, start], [object, end]])];
      }),
    );
  });
}
