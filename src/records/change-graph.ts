import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { dcterms, prov, rdf, rdfs, xsd } from '../rdf/vocabulary.js';
import type { GraphChange, PastChange } from '../store/past.js';
import { appManifestIri } from './app-graph.js';
import { userIri } from './user-graph.js';

/** A change of a record, as programs read it. */
export interface ToldChange {
  readonly revision: number;
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** The IRI of a user, that of the manifest of an app, the name of a command: as far as they are known. */
  readonly user?: string;
  readonly app?: string;
  readonly command?: string;
  /** IRIs of resources. */
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly removed: readonly string[];
}

/** @param base the base URL without a slash at its end */
export function toldChange({ revision, at, by, graphs }: PastChange, base: string): ToldChange {
  const that = (did: GraphChange['did']): string[] =>
    graphs.filter((graph) => graph.did === did).map(({ path }) => base + path);
  return {
    revision,
    time: new Date(at).toISOString(),
    ...(by.user === undefined ? {} : { user: userIri(base, by.user) }),
    ...(by.app === undefined ? {} : { app: appManifestIri(base, by.app) }),
    ...(by.command === undefined ? {} : { command: by.command }),
    added: that('added'),
    replaced: that('replaced'),
    removed: that('removed'),
  };
}

/**
 * Changes as activities (PROV-O): each generates what it added, invalidates what it removed, and does both to what it
 * replaced. Its number is its dcterms:identifier. What a resource was for a while is a blank node, which is a
 * specialization of the resource.
 */
export function changeGraph(changes: readonly ToldChange[]): Quad[] {
  return changes.flatMap((change) => {
    const { revision, time, user, app, command } = change;
    const activity = blankNode(`c${revision}`);
    const agent = blankNode(`a${revision}`);
    const say = (property: string, value: Term, subject: Term = activity): Quad =>
      quad(subject, namedNode(property), value);
    const state = (resource: string, name: string): [Term, Quad[]] => {
      const entity = blankNode(name);
      return [
        entity,
        [
          say(rdf.type, namedNode(prov.Entity), entity),
          say(prov.specializationOf, namedNode(resource), entity),
        ],
      ];
    };
    const states = (resources: readonly string[], kind: 'added' | 'replaced' | 'removed'): Quad[] =>
      resources.flatMap((resource, index) => {
        const name = `${kind}${revision}x${index}`;
        const [before, beforeQuads] = state(resource, `b${name}`);
        const [after, afterQuads] = state(resource, `n${name}`);
        return [
          ...(kind === 'added' ? [] : [say(prov.invalidated, before), ...beforeQuads]),
          ...(kind === 'removed' ? [] : [say(prov.generated, after), ...afterQuads]),
          ...(kind === 'replaced' ? [say(prov.wasRevisionOf, before, after)] : []),
        ];
      });
    return [
      say(rdf.type, namedNode(prov.Activity)),
      say(dcterms.identifier, literal(String(revision))),
      say(prov.endedAtTime, literal(time, namedNode(xsd.dateTime))),
      ...[user, app].flatMap((iri) =>
        iri === undefined ? [] : [say(prov.wasAssociatedWith, namedNode(iri))],
      ),
      ...(command === undefined
        ? []
        : [
            say(prov.wasAssociatedWith, agent),
            say(rdf.type, namedNode(prov.SoftwareAgent), agent),
            say(rdfs.label, literal(`chartgraph ${command}`), agent),
          ]),
      ...states(change.added, 'added'),
      ...states(change.replaced, 'replaced'),
      ...states(change.removed, 'removed'),
    ];
  });
}
