import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { access, accessUrn, accountUrn, prov, rdf, xsd } from '../../rdf/vocabulary.js';
import type { RecordedEntry } from './access-entry.js';

/** The effect of an action on its resource (PROV-O §3.1); all other actions use it. */
const effects: Readonly<Record<string, string>> = { write: prov.generated, remove: prov.invalidated };

const texts = [
  ['action', access.action],
  ['outcome', access.outcome],
  ['purpose', access.purpose],
  ['address', access.address],
  ['reason', access.reason],
  ['tokenId', access.tokenId],
  ['requestId', access.requestId],
] as const;

/**
 * Describes an entry in RDF: a prov:Activity with its agents, the call as their plan, and what it used, generated or
 * invalidated. An app acting for a user is a delegation (PROV-O §3.3).
 * @param base without a trailing slash
 */
export function entryQuads(entry: RecordedEntry, base: string): Quad[] {
  const self = namedNode(`${accessUrn}${entry.number}`);
  const quads: Quad[] = [];
  const say = (subject: Quad['subject'], property: string, object: Term): void => {
    quads.push(quad(subject, namedNode(property), object as Quad['object']));
  };
  const agent = (iri: string, kind: string): Quad['subject'] => {
    const node = namedNode(iri);
    say(node, rdf.type, namedNode(kind));
    say(self, prov.wasAssociatedWith, node);
    return node;
  };
  say(self, rdf.type, namedNode(prov.Activity));
  say(self, prov.startedAtTime, literal(entry.time, namedNode(xsd.dateTime)));
  say(self, access.number, literal(String(entry.number), namedNode(xsd.integer)));
  for (const [name, property] of texts) {
    const text = entry[name];
    if (text !== undefined) say(self, property, literal(text));
  }
  if (entry.status !== undefined)
    say(self, access.status, literal(String(entry.status), namedNode(xsd.integer)));
  if (entry.revision !== undefined) say(self, access.revision, literal(String(entry.revision)));
  if (entry.dropped)
    say(self, access.droppedThrough, literal(String(entry.dropped.through), namedNode(xsd.integer)));
  if (entry.record !== undefined) say(self, access.record, namedNode(below(base, 'records', entry.record)));
  if (entry.resource !== undefined) {
    const effect = entry.outcome === 'done' ? effects[entry.action] : undefined;
    say(self, effect ?? prov.used, namedNode(base + escaped(entry.resource)));
  }
  const account = entry.account && agent(accountUrn + escaped(entry.account), prov.Person);
  const user = entry.user && agent(below(base, 'users', entry.user), prov.Person);
  const app = entry.app && agent(below(base, 'apps', entry.app), prov.SoftwareAgent);
  const actor = account || app || user;
  if (actor && entry.call !== undefined) {
    const association = blankNode();
    say(self, prov.qualifiedAssociation, association);
    say(association, rdf.type, namedNode(prov.Association));
    say(association, prov.agent, actor);
    say(association, prov.hadPlan, namedNode(entry.call));
  }
  const principal = entry.onBehalfOf === undefined ? user : namedNode(below(base, 'users', entry.onBehalfOf));
  const delegate = entry.onBehalfOf === undefined ? app : user || app;
  if (delegate && principal) {
    const delegation = blankNode();
    say(delegate, prov.qualifiedDelegation, delegation);
    say(delegation, rdf.type, namedNode(prov.Delegation));
    say(delegation, prov.agent, principal);
    say(delegation, prov.hadActivity, self);
  }
  return quads;
}

function below(base: string, folder: string, id: string): string {
  return `${base}/${folder}/${escaped(id).replace(/[/?#]/gu, encodeURIComponent)}`;
}

/** Percent-encodes characters that are not allowed in IRIs (RFC 3987 §2.2). */
function escaped(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0020<>"{}|\\^`\u007f-\u009f]/gu, encodeURIComponent);
}
