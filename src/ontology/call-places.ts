import { isA, linkRules, type CallModel, type Ontology } from './model.js';
import { PathTemplate } from './path-template.js';
import { madeOnce } from '../rdf/made-once.js';

/**
 * Where everything lies that the query of a call reads: the paths of its target, or its own where the target has none, and
 * those of the classes that the target links to. That a query about a record reads nothing else, rule `query-reach` holds.
 */
export const placesRead = (ontology: Ontology, call: CallModel): readonly PathTemplate[] =>
  placesOf(call, ontology);

const placesOf = madeOnce((call: CallModel, ontology: Ontology): readonly PathTemplate[] => {
  const target = ontology.classes.get(call.target);
  const own = pathsOf(ontology, call.target);
  const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
  const paths = [...(own.length > 0 ? own : [call.path]), ...linked.flatMap((iri) => pathsOf(ontology, iri))];
  return [...new Set(paths)].map((path) => PathTemplate.of(path));
});

/** Where things of a class stand, those of the classes below it included. */
export function pathsOf({ classes }: Pick<Ontology, 'classes'>, target: string): string[] {
  return [...classes.values()].flatMap(({ iri, basePath }) =>
    basePath !== undefined && isA({ classes }, iri, target) ? [basePath] : [],
  );
}
