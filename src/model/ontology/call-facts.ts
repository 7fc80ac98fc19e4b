import { madeOnce } from '../../rdf/made-once.js';
import { answerKeyOf, isAboutData } from './answer-forms.js';
import { isA, linkRules, type CallModel, type Ontology } from './model.js';
import { PathTemplate } from './path-template.js';

/**
 * All paths that a call's query reads: those of its target (or the call's own if the target has none), and those of
 * the classes that the target links to. Rule `query-reach` makes sure that a query about a record reads nothing else.
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

export function pathsOf({ classes }: Pick<Ontology, 'classes'>, target: string): string[] {
  return [...classes.values()].flatMap(({ iri, basePath }) =>
    basePath !== undefined && isA({ classes }, iri, target) ? [basePath] : [],
  );
}

/**
 * Whether a call reads something that a record has once, such as its social history: its path ends in a name, not in
 * an id. Every record has such a resource, even if it is empty; real clients fail when the answer is 404.
 */
export function isSingleton({ method, scope, cardinality, path }: CallModel): boolean {
  if (method !== 'GET' || scope !== 'record' || cardinality !== 'single') return false;
  const last = PathTemplate.of(path).segments.at(-1);
  return last !== undefined && 'literal' in last;
}

/** The parameter for the time of an earlier state, and the one for the list of such times. */
export const AT = 'at';
export const TIMEMAP = 'timemap';

export const AT_COMMENT =
  'The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept.';

/**
 * Whether a call can answer with an earlier state: it reads data about a record. An app's own data and services have
 * no history, and a call whose own parameters have these names keeps them.
 */
export function hasPast(call: CallModel): boolean {
  if (call.method !== 'GET' || !call.pathParameters.includes('record_id')) return false;
  const isTaken = [...call.parameters, ...call.filters].some(({ name }) => name === AT || name === TIMEMAP);
  return !isTaken && answerKeyOf(call) !== undefined && isAboutData(call);
}
