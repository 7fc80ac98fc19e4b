import { isA, linkRules, type CallModel } from '../ontology/model.js';
import { termsOf } from '../query/check/terms-of.js';
import { sp } from '../rdf/vocabulary.js';
import type { QueryTemplate } from '../query/template.js';
import type { NaiveData } from './naive-data.js';

/**
 * The statements that an answer describes beside its members: those of the same record that a property of the class
 * leads to, where the query follows that property at all. Which ones those are is read from the data.
 */
export function withNeighbours(
  call: CallModel,
  query: QueryTemplate,
  members: readonly string[],
  data: NaiveData,
): string[] {
  const followed = followedLinks(call, query, data);
  const all = members.flatMap((name) => {
    const owner = data.values(name, sp.belongsTo)[0]?.value;
    const linked = followed.flatMap((property) => data.values(name, property).map(({ value }) => value));
    const isOwn = (other: string): boolean =>
      owner !== undefined && data.values(other, sp.belongsTo).some(({ value }) => value === owner);
    return [name, ...linked.filter(isOwn)];
  });
  return [...new Set(all)].sort();
}

function followedLinks(call: CallModel, query: QueryTemplate, { ontology }: NaiveData): string[] {
  const named = new Set(termsOf(query.text).map(({ iri }) => iri));
  return linksOf(call, ontology).filter((property) => named.has(property));
}

/** Properties by which statements of a call's class, or of a class beneath it, lead to other statements. */
function linksOf({ target }: CallModel, ontology: NaiveData['ontology']): string[] {
  const classes = [...ontology.classes.values()].filter(({ iri }) => isA(ontology, iri, target));
  return [
    ...new Set(classes.flatMap((each) => linkRules(ontology, each).map(({ property }) => property))),
  ].filter((property) => property !== sp.belongsTo);
}

/** Links of a call's class that its query does not follow, which is for its author to know. */
export function unfollowedLinks(call: CallModel, query: QueryTemplate, data: NaiveData): string[] {
  const followed = followedLinks(call, query, data);
  const used = (property: string): boolean =>
    data.instances(call).some((name) => data.values(name, property).length > 0);
  return linksOf(call, data.ontology).filter((property) => !followed.includes(property) && used(property));
}

/** Whether a query copies what graphs hold. One that makes triples of its own says what no graph does. */
export function isCopying(query: QueryTemplate): boolean {
  return /CONSTRUCT\s*\{\s*\?\w+\s+\?\w+\s+\?\w+\s*\.?\s*\}/i.test(query.text);
}
