import { mappingFolders, readMapping, type Mapping } from '../../fhir/mapping.js';
import type { ReadElement } from '../../fhir/read-element.js';
import type { Folders } from '../../model/ontology/directory.js';
import type { Ontology } from '../../model/ontology/model.js';
import { mapping as map, rdf } from '../../rdf/vocabulary.js';

export interface MappingDoc {
  readonly name: string;
  readonly summary: string;
  readonly target: string;
  readonly sources: readonly string[];
  readonly elements: readonly string[];
  /** The properties of the class that it fills, and those that it leaves empty. */
  readonly filled: readonly string[];
  readonly empty: readonly string[];
}

/** Reads the mapping of FHIR below folders of queries. An unreadable one is empty; `validate` says why. */
export function mappingOf(queries: Folders, ontology: Ontology): () => Promise<readonly MappingDoc[]> {
  return async () => {
    const read = readMapping(mappingFolders(queries), ontology);
    return read.then(documentMapping, () => []);
  };
}

/** Lists what each query of a mapping reads and fills, from its pattern and template. */
export function documentMapping({ queries, tables }: Pick<Mapping, 'queries' | 'tables'>): MappingDoc[] {
  const looked: readonly string[] = [map.property, map.allergen];
  const inTables = tables
    .filter(({ predicate }) => looked.includes(predicate.value))
    .map(({ object }) => object.value);
  return queries.map((query) => {
    // A variable property stands for those in the tables.
    const made = new Set(query.template.flatMap(({ path }) => path ?? inTables));
    const properties = [...query.target.rules.keys()].filter((iri) => iri !== rdf.type);
    return {
      name: query.name,
      summary: query.summary,
      target: query.target.iri,
      sources: query.sources,
      elements: [...query.read.types.values()].flatMap(leaves),
      filled: properties.filter((iri) => made.has(iri)),
      empty: properties.filter((iri) => !made.has(iri)),
    };
  });
}

function leaves(element: ReadElement): string[] {
  if (element.children.size === 0) return [element.path];
  return [...element.children.values()].flatMap(leaves);
}
