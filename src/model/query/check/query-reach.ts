import { pathsOf, placesRead } from '../../ontology/call-facts.js';
import { linkRules, type CallModel, type Ontology } from '../../ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../../ontology/path-template.js';
import { rdf, sp } from '../../../rdf/vocabulary.js';
import { adding, guardFaults, type Known, type Policy, type Said, isAboutRecord } from './guards.js';
import { Places, type QueryRule } from './query-rule.js';

/** Answers about a record read only what is loaded for the call, and the entity tag only covers changes there. */
export const queryReach: QueryRule = {
  id: 'query-reach',
  severity: 'error',
  summary: 'A query about a record reads only the target of its call, and what that links to.',
  hint: 'Say of each graph what it is, or link to it from one that does; or declare that the target links to it.',
  check: ({ tree, template, call, ontology, sparql, beside }) => {
    const policy = reachOf(call, ontology);
    if (!policy) return [];
    const isBound = (name: string): boolean => template.parameters.includes(name);
    const places = new Places(sparql);
    const graphs = new Set(
      guardFaults(tree, { ...policy, own: policy.own.filter(isBound), shared: beside?.graphs }).map(
        ({ graph }) => graph,
      ),
    );
    return [...graphs].map((graph) => ({
      line: places.ofGraph(graph),
      says: `a graph ?${graph} may be read that is nothing that ${call.name} is about`,
    }));
  },
};

/**
 * Returns a policy for the graphs that a call about a record may reach: those of classes whose paths the call reads,
 * and those that they link to. Undefined for a call about no record, or one that may read all of it.
 * @param own further variables that name such graphs
 */
export function reachOf(
  call: CallModel,
  ontology: Ontology,
  own: readonly string[] = [],
): Policy | undefined {
  // Another rule reports a target that is no class.
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

const placeOf = (template: PathTemplate): string => template.prefix({ record_id: '{record_id}' });

function linksWithin(ontology: Ontology, isClass: (iri: string) => boolean): (property: string) => boolean {
  const rules = [...ontology.classes.values()].flatMap((model) => linkRules(ontology, model));
  return (property) =>
    property !== sp.belongsTo &&
    rules.every((rule) => rule.property !== property || rule.classes.every(isClass));
}
