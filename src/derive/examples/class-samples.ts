import { factsOf } from '../../ontology/answer-forms.js';
import type { ClassModel } from '../../ontology/model.js';
import { Graph } from '../../ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import { quad, namedNode, blankNode, type Quad } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { withoutContentKey } from '../../records/documents/content-key.js';
import { graphSamples } from './graph-samples.js';
import type { Sample } from './sample.js';
import type { SeedStore } from './seed-store.js';

/** A node of the seed that may stand for its class. */
interface Candidate {
  readonly quads: readonly Quad[];
  /** How many different properties it has that the class has rules for. */
  readonly shows: number;
}

/**
 * An instance of each class, where the seed has one: the node that shows the most properties, the smallest and then
 * the first of these, with the blank nodes that are reachable from it.
 */
export async function classSamples({
  ontology,
  context,
  content,
}: Pick<SeedStore, 'ontology' | 'context' | 'content'>): Promise<Map<string, Sample[]>> {
  // What is answered as JSON or as plain text is never seen as RDF.
  const unseen = new Set(ontology.calls.filter((call) => !factsOf(call).graphs).map(({ target }) => target));
  const best = new Map<string, Candidate>();
  for (const { quads } of content.graphs) {
    const graph = new Graph(withoutContentKey(quads));
    for (const key of graph.subjects()) {
      for (const { value: type } of graph.objects(key, rdf.type)) {
        const model = ontology.classes.get(type);
        if (!model || unseen.has(type)) continue;
        const candidate = candidateOf(graph, key, model);
        if (isBetter(candidate, best.get(type))) best.set(type, candidate);
      }
    }
  }
  const samples = new Map<string, Sample[]>();
  for (const [type, { quads }] of best) samples.set(type, await graphSamples(quads, context));
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

/** What is said of a node and of the blank nodes below it. */
function closure(graph: Graph, start: string): Quad[] {
  const found: Quad[] = [];
  const nodes = new Set([start]);
  // A set is walked in the order of adding, so this follows what it finds.
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
