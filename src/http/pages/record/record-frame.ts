import { mayOpen, type User } from '../../../accounts/users.js';
import type { CallModel, Ontology } from '../../../ontology/model.js';
import { PathTemplate } from '../../../ontology/path-template.js';
import type { RecordFrame } from '../../../pages/record/frame.js';
import type { PathOf } from '../../../pages/record/statement-list.js';
import { sp } from '../../../rdf/vocabulary.js';
import type { RecordHolder } from '../../../records/people.js';
import { readableAge } from '../../../records/shown/readable.js';
import { kindsOf } from '../../../records/shown/statement-kinds.js';
import { maySeeAccesses, type OpenedRecord } from './open-record.js';

/** What stands around every page of a record, for whoever sees it. */
export function frameOf({ user, holder }: OpenedRecord, ontology: Ontology, now = Date.now()): RecordFrame {
  const isOpen = mayOpen(user, holder.record);
  return {
    holder: seenHolder(user, holder),
    age: isOpen ? readableAge(holder.birthday, holder.died ?? new Date(now).toISOString()) : '',
    isOpen,
    seesAccesses: maySeeAccesses(user, holder.record),
    writesNotes: isOpen && noteCall(ontology) !== undefined,
  };
}

/** The call that adds a note to a record; undefined where the ontology has none. */
export function noteCall({ calls }: Ontology): CallModel | undefined {
  return calls.find(
    ({ method, scope, target, answer }) =>
      method === 'POST' && scope === 'record' && target === sp.ClinicalNote && answer === 'rdf',
  );
}

/** Whose record it is, as somebody sees it: who does not open the record learns no more of it than its number. */
export function seenHolder(user: User, holder: RecordHolder): RecordHolder {
  return mayOpen(user, holder.record)
    ? holder
    : { record: holder.record, name: '', birthday: '', gender: '' };
}

/** The path of a page: that of the call, below that of accounts. */
export const pagePath = (path: string): string => `/account${path}`;

/** Where the page of a statement is, for those that a call reads by themselves. */
export function pathsOfStatements(ontology: Ontology, base: string, basePath: string): PathOf {
  const templates = kindsOf(ontology).map(({ call, item }) => PathTemplate.of((item ?? call).path));
  return (iri) => {
    if (!iri.startsWith(`${base}/`)) return undefined;
    const path = iri.slice(base.length);
    return templates.some((template) => template.match(path)) ? basePath + pagePath(path) : undefined;
  };
}
