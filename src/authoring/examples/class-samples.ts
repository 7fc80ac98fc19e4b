import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsOf } from '../../model/ontology/answer-forms.js';
import type { ClassModel } from '../../model/ontology/model.js';
import { Graph } from '../../model/ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import { quad, namedNode, blankNode, type Quad } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { withoutContentKey } from '../../records/documents/content-key.js';
import { graphSamples, type Sample } from './sample.js';
import { GRAPHS_A_TURN, type SeedStore } from './seed-store.js';

interface Candidate {
  readonly quads: readonly Quad[];
  /** The number of its properties for which the class has rules. */
  readonly shows: number;
}

/** Chooses the instance of each class with the most properties, the smallest of those, with its blank nodes. */
export async function classSamples({
  ontology,
  content,
}: Pick<SeedStore, 'ontology' | 'content'>): Promise<Map<string, Sample[]>> {
  // Classes that are answered only as JSON or plain text are never seen as RDF.
  const unseen = new Set(ontology.calls.filter((call) => !factsOf(call).graphs).map(({ target }) => target));
  const best = new Map<string, Candidate>();
  for (const [at, { quads }] of content.graphs.entries()) {
    const graph = new Graph(withoutContentKey(quads));
    for (const key of graph.subjects()) {
      for (const { value: type } of graph.objects(key, rdf.type)) {
        const model = ontology.classes.get(type);
        if (!model || unseen.has(type)) continue;
        const candidate = candidateOf(graph, key, model);
        if (isBetter(candidate, best.get(type))) best.set(type, candidate);
      }
    }
    if (at % GRAPHS_A_TURN === 0) await nextTurn();
  }
  const samples = new Map<string, Sample[]>();
  for (const [type, { quads }] of best) {
    samples.set(type, await graphSamples(quads, ontology));
    await nextTurn();
  }
  return samples;
}

function isBetter({ shows, quads }: Candidate, known: Candidate | undefined): boolean {
  if (!known) return true;
  return shows > known.shows || (shows === known.shows && quads.length < known.quads.length);
}

function candidateOf(graph: Graph, key: string, { rules }: ClassModel): Candidate {
  const shows = [...graph.properties(key)].filter(([property]) => rules.has(property)).length;
  return { shows, quads: closure(graph, key) };
}

/** Collects the statements about a node and the blank nodes below it. */
function closure(graph: Graph, start: string): Quad[] {
  const found: Quad[] = [];
  const nodes = new Set([start]);
  // A set iterates in insertion order, including items added meanwhile.
  for (const key of nodes) {
    const subject = key.startsWith('_:') ? blankNode(key.slice(2)) : namedNode(key);
    for (const [property, objects] of graph.properties(key)) {
      for (const object of objects) {
        found.push(quad(subject, namedNode(property), object as Quad['object']));
        if (object.termType === 'BlankNode') nodes.add(termKey(object));
      }
    }
  }
  return found;
}
