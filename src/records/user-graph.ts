import { blankNode, literal, namedNode, say } from '../rdf/terms.js';
import { rdf, sp, vcard } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';

/** What anybody may know of a user; password and records are no part of the graph. */
export interface PublicUser {
  readonly id: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly role: string;
  readonly department?: string | undefined;
  readonly email?: string | undefined;
}

/** The IRI of a user, which names their graph. */
export function userIri(base: string, userId: string): string {
  return `${base}/users/${userId}`;
}

/** The graph of a user: an `sp:User` with a name, a role and what else is known. */
export function userGraph(user: PublicUser, base: string): NamedGraph {
  const iri = namedNode(userIri(base, user.id));
  const name = blankNode('name');
  const texts: [string, string | undefined][] = [
    [sp.role, user.role],
    [sp.department, user.department],
    [vcard.email, user.email],
  ];
  return {
    name: iri.value,
    quads: [
      say(iri, rdf.type, namedNode(sp.User)),
      say(iri, vcard.n, name),
      say(name, rdf.type, namedNode(vcard.Name)),
      say(name, vcard['given-name'], literal(user.givenName)),
      say(name, vcard['family-name'], literal(user.familyName)),
      ...texts.flatMap(([property, text]) => (text === undefined ? [] : [say(iri, property, literal(text))])),
    ],
  };
}
