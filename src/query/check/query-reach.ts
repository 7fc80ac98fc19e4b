import { pathsOf, placesRead } from '../../ontology/call-places.js';
import { linkRules, type CallModel, type Ontology } from '../../ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../../ontology/path-template.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { adding, guardFaults, type Known, type Policy, type Said } from './guards.js';
import { Places } from './places.js';
import { isAboutRecord } from './policy.js';
import type { QueryRule } from './query-rule.js';

/** Of a record a call is answered from what is loaded for it, and its tag tells of changes there alone. */
export const queryReach: QueryRule = {
  id: 'query-reach',
  severity: 'error',
  summary: 'A query about a record reads what its call is about: the target, and what that links to.',
  hint: 'Say of each graph what it is, or link to it from one that does; or declare that the target links to it.',
  check: ({ tree, template, call, ontology, sparql }) => {
    const policy = reachOf(call, ontology);
    if (!policy) return [];
    const isBound = (name: string): boolean => template.parameters.includes(name);
    const places = new Places(sparql);
    const graphs = new Set(
      guardFaults(tree, { ...policy, own: policy.own.filter(isBound) }).map(({ graph }) => graph),
    );
    return [...graphs].map((graph) => ({
      line: places.ofGraph(graph),
      says: `a graph ?${graph} may be read that is nothing that ${call.name} is about`,
    }));
  },
};

/**
 * When a graph stands where a call about a record reads: it says that it is of a class that stands there, or one that
 * does links to it by a property that leads there. Undefined for a call that is about no record, or may read all of it.
 * @param own more variables that name such a graph
 */
export function reachOf(
  call: CallModel,
  ontology: Ontology,
  own: readonly string[] = [],
): Policy | undefined {
  // A target that is no class is told where the call is described.
  if (!isAboutRecord(call) || !ontology.classes.has(call.target)) return undefined;
  const places = placesRead(ontology, call).map(placeOf);
  const isWithin = (path: string): boolean =>
    places.some((place) => isAtOrBelow(placeOf(PathTemplate.of(path)), place));
  if (isWithin(RECORD) || !places.some((place) => isAtOrBelow(place, RECORD))) return undefined;
  const isClass = (iri: string): boolean => pathsOf(ontology, iri).every(isWithin);
  const leadsWithin = linksWithin(ontology, isClass);
  const grant = (known: Known, graph: string): Known => ({ ...known, own: adding(known.own, graph) });
  const learn = ({ graph, predicate, object, steps }: Said, known: Known): Known => {
    if (predicate.kind === 'iri' && predicate.iri === rdf.type) {
      const isOne =
        (object.kind === 'iri' && isClass(object.iri) && pathsOf(ontology, object.iri).length > 0) ||
        (object.kind === 'variable' && known.owners.has(object.name));
      return isOne ? grant(known, graph) : known;
    }
    const isLink = object.kind === 'variable' && known.own.has(graph) && steps?.every(leadsWithin);
    return isLink ? grant(known, object.name) : known;
  };
  return {
    own: [...own, ...(isWithin(call.path) ? ['resource'] : [])],
    // Variables of classes.
    owners: [],
    learn,
    choose: ({ name, iris }, known) =>
      iris.every(isClass) ? { ...known, owners: adding(known.owners, name) } : known,
  };
}

const RECORD = '/records/{record_id}';

/** Where a template stands in its record, whatever follows. */
const placeOf = (template: PathTemplate): string => template.prefix({ record_id: '{record_id}' });

/** Tells whether a property, wherever a class has it as a link, leads to such classes alone; others lead to no graph. */
function linksWithin(ontology: Ontology, isClass: (iri: string) => boolean): (property: string) => boolean {
  const rules = [...ontology.classes.values()].flatMap((model) => linkRules(ontology, model));
  return (property) =>
    property !== sp.belongsTo &&
    rules.every((rule) => rule.property !== property || rule.classes.every(isClass));
}
