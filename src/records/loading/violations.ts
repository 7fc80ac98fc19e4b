import type { Ontology } from '../../ontology/model.js';
import { namedNode } from '../../rdf/terms.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { validateResource } from '../../validate/resource.js';

/** What the ontology does not allow in the graphs: each kind of violation once, with the first place and the number. */
export function violationsOf(graphs: readonly NamedGraph[], ontology: Ontology): string[] {
  const kinds = new Map<string, { first: string; message: string; count: number }>();
  for (const { name, quads } of graphs) {
    for (const { rule, property, message } of validateResource(ontology, namedNode(name), quads)) {
      const kind = `${rule} ${property ?? ''} ${name.slice(0, name.lastIndexOf('/'))}`;
      const known = kinds.get(kind);
      if (known) known.count++;
      else kinds.set(kind, { first: name, message, count: 1 });
    }
  }
  return [...kinds.values()].map(({ first, message, count }) =>
    count === 1 ? `${first}: ${message}` : `${first}: ${message} (and ${count - 1} more of this kind)`,
  );
}
