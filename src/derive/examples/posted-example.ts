import { blankNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { formats } from '../../rdf/formats.js';
import { sp } from '../../rdf/vocabulary.js';
import { writeRdf } from '../../rdf/write.js';
import { targetOf, type CallExample } from './example.js';
import { graphSamples } from './graph-samples.js';
import type { SeedStore } from './seed-store.js';
import type { CallModel } from '../../ontology/model.js';
import { candidateRequests } from './example-request.js';

/**
 * A POST as if a statement of the seed had just been added: the body is that statement without its name and without
 * its record, which the container gives; the answer is the statement as it is stored.
 * @param read a GET call of one statement of the same class
 */
export async function postedExample(
  seed: SeedStore,
  call: CallModel,
  read: CallModel,
): Promise<CallExample | undefined> {
  const { base, content, sender, context } = seed;
  const [found] = candidateRequests(read, sender, content.graphs, base);
  const stored = content.graphs.find(({ name }) => found && name === base + found.target);
  if (!found || !stored) return undefined;
  const body = await writeRdf(unnamed(stored.quads, stored.name), 'rdfxml');
  const target = targetOf(call, { path: found.path, query: [] });
  return {
    request: { ...found, call, query: [], target, body: { mediaType: formats.rdfxml.mediaType, text: body } },
    headers: [['Location', stored.name]],
    samples: await graphSamples(stored.quads, context),
  };
}

/** What a statement says, as who posts it writes it: without its name, and without its record. */
export function unnamed(quads: readonly Quad[], name: string): Quad[] {
  const node = blankNode('statement');
  const replaced = <T extends Term>(term: T): T | typeof node => (term.value === name ? node : term);
  return quads
    .filter(({ predicate }) => predicate.value !== sp.belongsTo)
    .map(({ subject, predicate, object }) => quad(replaced(subject), predicate, replaced(object)));
}
