import { writeTriples } from '../rdf/ntriples.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { dcterms, prov, rdf, rdfs, xsd } from '../rdf/vocabulary.js';
import type { GraphChange, PastChange } from '../store/past.js';
import type { Stepwise } from '../store/steps.js';
import { appManifestIri } from './app-graph.js';
import { userIri } from './user-graph.js';

export interface ToldChange {
  readonly revision: number;
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** The IRI of a user, the IRI of an app's manifest, or the name of a command, if known. */
  readonly user?: string;
  readonly app?: string;
  readonly command?: string;
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly removed: readonly string[];
}

/** Describes a change for programs. @param base without a trailing slash */
export function toldChange({ revision, at, by, graphs }: PastChange, base: string): ToldChange {
  const namesWhere = (did: GraphChange['did']): string[] =>
    graphs.filter((graph) => graph.did === did).map(({ path }) => base + path);
  return {
    revision,
    time: new Date(at).toISOString(),
    ...(by.user === undefined ? {} : { user: userIri(base, by.user) }),
    ...(by.app === undefined ? {} : { app: appManifestIri(base, by.app) }),
    ...(by.command === undefined ? {} : { command: by.command }),
    added: namesWhere('added'),
    replaced: namesWhere('replaced'),
    removed: namesWhere('removed'),
  };
}

/** Describes changes as PROV-O activities; states of a resource are blank nodes that specialize it. */
export function changeGraph(changes: readonly ToldChange[]): Quad[] {
  return changes.flatMap((change) => {
    const { revision, time, user, app, command } = change;
    const activity = blankNode(`c${revision}`);
    const agent = blankNode(`a${revision}`);
    const say = (property: string, value: Term, subject: Term = activity): Quad =>
      quad(subject, namedNode(property), value);
    const states = (kind: 'added' | 'replaced' | 'removed'): Quad[] =>
      change[kind].flatMap((resource, index) => {
        const [before, after] = ['b', 'n'].map((start) => blankNode(`${start}${kind}${revision}x${index}`));
        const state = (link: string, entity: Term = activity): Quad[] => [
          say(link, entity),
          say(rdf.type, namedNode(prov.Entity), entity),
          say(prov.specializationOf, namedNode(resource), entity),
        ];
        return [
          ...(kind === 'added' ? [] : state(prov.invalidated, before)),
          ...(kind === 'removed' ? [] : state(prov.generated, after)),
          ...(kind === 'replaced' && before ? [say(prov.wasRevisionOf, before, after)] : []),
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
      ...(['added', 'replaced', 'removed'] as const).flatMap(states),
    ];
  });
}

const encoder = new TextEncoder();

/** Describes changes as `changeGraph` does, in N-Triples. */
export function* changeTexts(changes: readonly ToldChange[]): Stepwise<Uint8Array<ArrayBuffer>[]> {
  const texts: Uint8Array<ArrayBuffer>[] = [];
  for (const change of changes) {
    texts.push(encoder.encode(writeTriples(changeGraph([change]))));
    yield;
  }
  return texts;
}
