import { Graph } from '../../ontology/graph.js';
import { writeTerm } from '../../../rdf/ntriples.js';
import { namedNode, type Quad, type Term } from '../../../rdf/terms.js';
import { rdf, xsd } from '../../../rdf/vocabulary.js';

type Namespaces = Readonly<Record<string, string>>;

/** Literals that Turtle writes without quotes (RDF 1.1 Turtle §2.5.2). */
const bare: Readonly<Record<string, RegExp>> = {
  [xsd.integer]: /^[+-]?[0-9]+$/,
  [xsd.boolean]: /^(?:true|false)$/,
};

/** Local names that need no escape; Turtle allows more. */
const localName = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;

const WIDTH = 110;

/**
 * Writes triples as RDF 1.1 Turtle laid out for people, named subjects in order of first appearance: lists as lists,
 * and blank nodes where they are used. Each blank node must be the object of exactly one triple.
 * @throws TypeError for terms that Turtle cannot write
 */
export function nestedTurtle(quads: readonly Quad[], namespaces: Namespaces): string {
  const writer = new NestedTurtle(new Graph(quads), namespaces);
  const blocks = [...writer.graph.subjects()]
    .filter((subject) => !subject.startsWith('_:'))
    .map((subject) => `${writer.iri(subject)} ${writer.statements(subject, '  ').join(' ;\n  ')} .\n`);
  const header = [...writer.used]
    .sort()
    .map((prefix) => `@prefix ${prefix}: ${writeTerm(namedNode(namespaces[prefix] ?? ''))} .\n`);
  return `${header.join('')}\n${blocks.join('\n')}`;
}

class NestedTurtle {
  readonly used = new Set<string>();

  constructor(
    readonly graph: Graph,
    private readonly namespaces: Namespaces,
  ) {}

  iri(value: string): string {
    const [prefix, namespace] = Object.entries(this.namespaces)
      .filter(([, start]) => value.startsWith(start) && localName.test(value.slice(start.length)))
      .sort(([, a], [, b]) => b.length - a.length)[0] ?? [undefined, ''];
    if (prefix === undefined) return writeTerm(namedNode(value));
    this.used.add(prefix);
    return `${prefix}:${value.slice(namespace.length)}`;
  }

  statements(subject: Term | string, indent: string): string[] {
    return [...this.graph.properties(subject)].map(([predicate, objects]) => {
      const verb = predicate === rdf.type ? 'a' : this.iri(predicate);
      const texts = objects.map((object) => this.#term(object, indent));
      const line = `${verb} ${texts.join(' , ')}`;
      return fits(line) ? line : `${verb}\n${indent}  ${filled(texts, ' ,', `${indent}  `)}`;
    });
  }

  #term(term: Term, indent: string): string {
    if (term.termType === 'NamedNode') return term.value === rdf.nil ? '()' : this.iri(term.value);
    if (term.termType === 'Literal')
      return bare[term.datatype.value]?.test(term.value) === true ? term.value : writeTerm(term);
    const deeper = `${indent}    `;
    return this.graph.objects(term, rdf.first).length > 0
      ? enclosed(
          '(',
          this.graph.list(term).map((member) => this.#term(member, deeper)),
          '',
          ')',
          indent,
        )
      : enclosed('[', this.statements(term, deeper), ' ;', ']', indent);
  }
}

function enclosed(
  open: string,
  parts: readonly string[],
  separator: string,
  close: string,
  indent: string,
): string {
  const line = `${open} ${parts.join(`${separator} `)} ${close}`;
  if (fits(line)) return line;
  const inside = `${indent}    `;
  const body = separator === '' ? filled(parts, '', inside) : parts.join(`${separator}\n${inside}`);
  return `${open}\n${inside}${body}\n${indent}  ${close}`;
}

function filled(parts: readonly string[], separator: string, indent: string): string {
  if (parts.some((part) => part.includes('\n'))) return parts.join(`${separator}\n${indent}`);
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = `${last}${separator} ${part}`;
    if (last !== undefined && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.join(`${separator}\n${indent}`);
}

function fits(line: string): boolean {
  return line.length <= WIDTH && !line.includes('\n');
}
