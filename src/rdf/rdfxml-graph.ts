import type { Literal, Quad } from './terms.js';
import { rdf } from './vocabulary.js';

/** A subject with its statements by kind of object, or a blank node that is only pointed to. */
export interface Resource {
  /** The IRI, or the label of a blank node. */
  readonly id: string;
  readonly blank: boolean;
  /** IRIs of its types. */
  readonly types: string[];
  readonly links: { readonly predicate: string; readonly iri: string }[];
  readonly texts: { readonly predicate: string; readonly literal: Literal }[];
  readonly children: { readonly predicate: string; readonly node: Resource }[];
  /** In how many statements a blank node is the object. */
  references: number;
  /** Set on cells that were found to belong to no well-formed list. */
  unlisted?: true;
}

export interface ResourceGraph {
  readonly iris: ReadonlyMap<string, Resource>;
  readonly blanks: ReadonlyMap<string, Resource>;
  readonly predicates: ReadonlySet<string>;
}

/** The graph as resources by id. Repeated statements with a blank object count once, others stay for the writer. */
export function readResources(quads: Iterable<Quad>): ResourceGraph {
  const iris = new Map<string, Resource>();
  const blanks = new Map<string, Resource>();
  const predicates = new Set<string>();
  const seen = new Set<string>();
  const resource = (id: string, blank: boolean): Resource => {
    const all = blank ? blanks : iris;
    let found = all.get(id);
    if (found === undefined) {
      found = { id, blank, types: [], links: [], texts: [], children: [], references: 0 };
      all.set(id, found);
    }
    return found;
  };
  for (const { subject, predicate: verb, object } of quads) {
    const from = resource(subject.value, subject.termType === 'BlankNode');
    const predicate = verb.value;
    if (object.termType === 'Literal') from.texts.push({ predicate, literal: object });
    else if (object.termType !== 'BlankNode') {
      if (predicate === rdf.type) {
        from.types.push(object.value);
        continue;
      }
      from.links.push({ predicate, iri: object.value });
    } else {
      const statement = `${from.blank ? '_:' : ''}${from.id} ${predicate} ${object.value}`;
      if (seen.has(statement)) continue;
      seen.add(statement);
      const node = resource(object.value, true);
      node.references++;
      from.children.push({ predicate, node });
    }
    predicates.add(predicate);
  }
  return { iris, blanks, predicates };
}
