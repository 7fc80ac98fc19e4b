import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { namedNode } from '../../../src/rdf/terms.js';
import { api, rdf } from '../../../src/rdf/vocabulary.js';
import { validateResource } from '../../../src/model/validate/resource.js';

const { ontology, quads } = await loadOntology(resolve(import.meta.dirname, '..', '..', '..', 'ontology'));
const examples = new Map(
  quads
    .filter(({ predicate }) => predicate.value === api.example)
    .map(({ subject, object }) => [subject.value, object.value]),
);
const read = new Set(ontology.calls.map(({ target }) => target));
const statements = [...ontology.classes.values()].filter(
  ({ iri, kind }) => kind === 'statement' && read.has(iri),
);

describe('the example', () => {
  it.each(statements.map(({ name, iri }) => [name, iri]))(
    'of %s is a graph of one, as the ontology has it',
    async (_, iri) => {
      const graph = await parseRdf(Buffer.from(examples.get(iri) ?? ''), { format: 'rdfxml' });
      const [root, ...others] = graph.filter(
        ({ predicate, object }) => predicate.value === rdf.type && object.value === iri,
      );
      expect(others).toEqual([]);
      const node = namedNode(root?.subject.value ?? '');
      expect(validateResource(ontology, node, graph, { complete: true })).toEqual([]);
    },
  );
});
