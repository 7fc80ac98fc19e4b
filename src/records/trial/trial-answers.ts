import type { CallModel, Ontology } from '../../ontology/model.js';
import type { QueryTemplate } from '../../query/template.js';
import type { Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import { openMemoryStore } from '../../store/memory.js';
import {
  containerManifest,
  containerManifestGraph,
  type ContainerDescription,
} from '../container-manifest.js';
import { readList, type ReadStore } from '../lists/list.js';
import { requestTerms, resourceOf, ontologyIri } from '../resource-paths.js';
import { oneTitlePerCode } from '../titles.js';
import type { DataSource } from './data-source.js';
import type { PathParameters } from './instances.js';

/** An ontology with its queries, as a container would serve them. */
export interface ServedModel {
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  /** What is wrong with the query of a call, by the name of the call. */
  readonly faults: ReadonlyMap<string, string>;
}

/** What a call answers: its graph, and the order where it is a list. */
export interface TrialAnswer {
  readonly quads: readonly Quad[];
  readonly order: readonly string[];
}

/** Answers the GET calls of a model over some data as a container would. */
export interface Answerer {
  answer(call: CallModel, parameters: PathParameters): Promise<TrialAnswer>;
  close(): Promise<void>;
}

/**
 * Prepares a model to answer. The container's own resources (its manifest, its ontology) come from a store of their
 * own, filled with what a container would publish at its start, for nothing may be written to the data.
 * @param store the data with the index that the model asks for; it stays the caller's to close
 */
export async function openAnswerer(
  { ontology, quads, queries }: ServedModel,
  { base }: DataSource,
  store: GraphStore,
  container: ContainerDescription,
): Promise<Answerer> {
  const published = openMemoryStore(base);
  const own = [
    containerManifestGraph(containerManifest(container, ontology, base), base),
    { name: ontologyIri(base), quads },
  ];
  await published.write({ replace: own });
  const isOwn = (resource: string): boolean => own.some(({ name }) => name === resource);
  return {
    async answer(call, parameters) {
      const query = queries.get(call.name);
      if (!query) throw new Error('there is no query for the call');
      const resource = resourceOf(call, parameters, base);
      const values = requestTerms({ resource, path: parameters }, base);
      const from = queriesOf(isOwn(resource) ? published : store);
      if (call.cardinality === 'multiple' && query.variable !== undefined) {
        const { quads: list, order } = await readList(from, ontology, {
          call,
          query,
          values,
          given: new Map(),
          counted: false,
        });
        return { quads: oneTitlePerCode(list, ontology), order };
      }
      return { quads: oneTitlePerCode(await from.construct(query.bind(values)), ontology), order: [] };
    },
    close: () => published.close(),
  };
}

/** A store that answers every query by running it: a query is compared with one of another form, and timed. */
const queriesOf = (store: GraphStore): ReadStore => ({
  base: store.base,
  select: (...query) => store.select(...query),
  construct: (...query) => store.construct(...query),
});
