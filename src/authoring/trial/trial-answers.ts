import type { CallModel, Ontology } from '../../model/ontology/model.js';
import type { QueryTemplate } from '../../model/query/template.js';
import type { Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import { openMemoryStore } from '../../store/memory-store.js';
import {
  containerManifest,
  containerManifestGraph,
  type ContainerDescription,
} from '../../records/container-manifest.js';
import { readList, type ReadStore } from '../../records/lists/list.js';
import { requestTerms, resourceOf, ontologyIri } from '../../records/resource-paths.js';
import { oneTitlePerCode } from '../../records/titles.js';
import type { DataSource } from './data-source.js';
import { PathTemplate } from '../../model/ontology/path-template.js';

/** An ontology with its queries, as served. */
export interface ServedModel {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  /** Problems of queries, by call name. */
  readonly faults: ReadonlyMap<string, string>;
}

export interface TrialAnswer {
  readonly quads: readonly Quad[];
  readonly order: readonly string[];
}

export type Answerer = Awaited<ReturnType<typeof openAnswerer>>;

/**
 * Prepares a model to answer its GET calls over some data. Its manifest and ontology are in a separate store, since the
 * data must not change. @param store the data with the model's index; the caller closes it
 */
export async function openAnswerer(
  { ontology, quads, queries }: ServedModel,
  { base }: DataSource,
  store: GraphStore,
  container: ContainerDescription,
) {
  const published = openMemoryStore(base);
  const own = [
    containerManifestGraph(containerManifest(container, ontology, base), base),
    { name: ontologyIri(base), quads },
  ];
  await published.write({ replace: own });
  const isOwn = (resource: string): boolean => own.some(({ name }) => name === resource);
  return {
    async answer(call: CallModel, parameters: PathParameters): Promise<TrialAnswer> {
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

/** Makes a store that runs every query, so that queries of different forms can be compared. */
const queriesOf = (store: GraphStore): ReadStore => ({
  base: store.base,
  select: (...query) => store.select(...query),
  construct: (...query) => store.construct(...query),
});

export type PathParameters = Readonly<Record<string, string>>;

/**
 * Lists the requests that a GET call allows on given graphs: each graph that fits its path, for a list each resource
 * that its path begins with; one for a path without parameters. @param names of all graphs
 */
export function instancesOf(
  { path, cardinality }: CallModel,
  names: readonly string[],
  base: string,
): PathParameters[] {
  const template = PathTemplate.of(path);
  if (template.parameters.length === 0) return [{}];
  const fitting = cardinality === 'single' ? template : template.throughLastParameter();
  return names.flatMap((name) => {
    // A name with a fragment is part of a resource.
    const isResource = name.startsWith(base) && !name.includes('#');
    const found = isResource ? fitting.match(name.slice(base.length)) : undefined;
    return found ? [found] : [];
  });
}
