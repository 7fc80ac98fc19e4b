import { isA, type CallModel, type Ontology } from '../../ontology/model.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { adding, type Known, type Policy, type Said } from './guards.js';

/**
 * What the query of a call may read. About a record: graphs that belong to it, and the record's own. A statement under
 * the path of the record must say so too; what an app keeps there has nothing else to go by than its IRI. About a user:
 * what the IRI of the request names. Of the container: that, and things of the target's class; where a call discloses
 * people, of that class alone.
 */
export function policyOf(call: CallModel, ontology: Ontology): Policy {
  const aboutRecord = isAboutRecord(call);
  const isStatement = isA(ontology, call.target, sp.Statement);
  const isTarget = (type: string): boolean =>
    !aboutRecord &&
    call.scope === 'container' &&
    (call.discloses === undefined ? isA(ontology, type, call.target) : type === call.target);
  const own = aboutRecord && isStatement ? [] : ['resource'];
  const learn = ({ graph, predicate, object }: Said, known: Known): Known => {
    if (predicate.kind !== 'iri') return known;
    if (predicate.iri === rdf.type && object.kind === 'iri' && isTarget(object.iri))
      return { ...known, own: adding(known.own, graph) };
    if (predicate.iri !== sp.belongsTo || object.kind !== 'variable') return known;
    if (known.owners.has(object.name)) return { ...known, own: adding(known.own, graph) };
    // A statement belongs to one record: what a guarded one names is that record. Where the call is about no record, it
    // may be any.
    return aboutRecord && known.own.has(graph) && !own.includes(graph)
      ? { ...known, owners: adding(known.owners, object.name) }
      : known;
  };
  return { own, owners: aboutRecord ? ['record'] : [], learn };
}

/** Whether a call is about one record: then nothing of another may stand in its answer. */
export function isAboutRecord({ pathParameters }: CallModel): boolean {
  return pathParameters.includes('record_id');
}
