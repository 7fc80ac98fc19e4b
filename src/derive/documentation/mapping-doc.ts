import type { Edge } from '../../fhir/pattern-edges.js';
import type { Mapping, MappingQuery } from '../../fhir/mapping.js';
import type { ReadElement } from '../../fhir/read-element.js';
import { mapping as map, rdf } from '../../rdf/vocabulary.js';

/** One query of the mapping of FHIR, for people. */
export interface MappingDoc {
  readonly name: string;
  readonly summary: string;
  /** The class that it makes statements of. */
  readonly target: string;
  /** The types of resources that it makes them from. */
  readonly sources: readonly string[];
  /** The elements that it reads: `Condition.code.coding`. */
  readonly elements: readonly string[];
  /** The properties of the class that it fills, and those that it leaves empty. */
  readonly filled: readonly string[];
  readonly empty: readonly string[];
}

/** What each query of a mapping reads and fills, derived from its pattern and its template. */
export function documentMapping({ queries, tables }: Pick<Mapping, 'queries' | 'tables'>): MappingDoc[] {
  const looked: readonly string[] = [map.property, map.allergen];
  const inTables = tables
    .filter(({ predicate }) => looked.includes(predicate.value))
    .map(({ object }) => object.value);
  return queries.map((query) => {
    const made = propertiesMade(query.template, inTables);
    const properties = [...query.target.rules.keys()].filter((iri) => iri !== rdf.type);
    return {
      name: query.name,
      summary: query.summary,
      target: query.target.iri,
      sources: query.sources,
      elements: elementsOf(query),
      filled: properties.filter((iri) => made.has(iri)),
      empty: properties.filter((iri) => !made.has(iri)),
    };
  });
}

/** The properties in a template; where one is a variable, those that the tables give it. */
function propertiesMade(template: readonly Edge[], inTables: readonly string[]): Set<string> {
  return new Set(template.flatMap(({ path }) => path ?? inTables));
}

function elementsOf({ read }: MappingQuery): string[] {
  return [...read.types.values()].flatMap(leaves);
}

/** The paths of the innermost elements that are read. */
function leaves(element: ReadElement): string[] {
  if (element.children.size === 0) return [element.path];
  return [...element.children.values()].flatMap(leaves);
}
