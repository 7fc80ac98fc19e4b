import { blankNode, literal, namedNode, say, type Quad } from '../rdf/terms.js';
import { rdf, sp, vcard } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';

/** Public information about a user. */
export interface PublicUser {
  readonly id: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly role: string;
  readonly department?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns the IRI of a user, which names their graph. */
export function userIri(base: string, userId: string): string {
  return `${base}/users/${userId}`;
}

/** Builds the graph of a user: an `sp:User` with name, role and what else is known. */
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

export function changedUser(
  quads: readonly Quad[],
  { givenName, familyName, role }: Partial<Pick<PublicUser, 'givenName' | 'familyName' | 'role'>>,
): Quad[] {
  const texts = new Map([
    [vcard['given-name'], givenName],
    [vcard['family-name'], familyName],
    [sp.role, role],
  ]);
  return quads.map((quad) => {
    const text = texts.get(quad.predicate.value);
    return text === undefined ? quad : say(quad.subject, quad.predicate.value, literal(text));
  });
}
