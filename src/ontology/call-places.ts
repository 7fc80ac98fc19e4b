import { isA, linkRules, type CallModel, type Ontology } from './model.js';
import { PathTemplate } from './path-template.js';

const known = new WeakMap<CallModel, readonly PathTemplate[]>();

/**
 * Where everything lies that the query of a call reads: the paths of its target, or its own where the target has none, and
 * those of the classes that the target links to. That a query about a record reads nothing else, rule `query-reach` holds.
 */
export function placesRead(ontology: Ontology, call: CallModel): readonly PathTemplate[] {
  let places = known.get(call);
  if (!places) {
    const target = ontology.classes.get(call.target);
    const own = pathsOf(ontology, call.target);
    const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
    const paths = [
      ...(own.length > 0 ? own : [call.path]),
      ...linked.flatMap((iri) => pathsOf(ontology, iri)),
    ];
    places = [...new Set(paths)].map((path) => PathTemplate.of(path));
    known.set(call, places);
  }
  return places;
}

/** Where things of a class stand, those of the classes below it included. */
export function pathsOf({ classes }: Pick<Ontology, 'classes'>, target: string): string[] {
  return [...classes.values()].flatMap(({ iri, basePath }) =>
    basePath !== undefined && isA({ classes }, iri, target) ? [basePath] : [],
  );
}
