import { isA } from '../../ontology/model.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { sp } from '../../rdf/vocabulary.js';
import type { Policy } from './guards.js';

/**
 * What the query of a call may read. About a record: graphs that belong to it, and the record's own. A statement under
 * the path of the record must say so too; what an app keeps there has nothing else to go by than its IRI. About a user:
 * what the IRI of the request names. Of the container: that, and things of the target's class; where a call discloses
 * people, of that class alone.
 */
export function policyOf(call: CallModel, ontology: Ontology): Policy {
  const aboutRecord = isAboutRecord(call);
  const isStatement = isA(ontology, call.target, sp.Statement);
  return {
    own: aboutRecord && isStatement ? [] : ['resource'],
    owners: aboutRecord ? ['record'] : [],
    isTarget: (type) =>
      !aboutRecord &&
      call.scope === 'container' &&
      (call.discloses === undefined ? isA(ontology, type, call.target) : type === call.target),
  };
}

/** Whether a call is about one record: then nothing of another may stand in its answer. */
export function isAboutRecord({ pathParameters }: CallModel): boolean {
  return pathParameters.includes('record_id');
}
