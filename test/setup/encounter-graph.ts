import {
  blankNode,
  literal,
  namedNode,
  quad,
  type BlankNode,
  type NamedNode,
  type Quad,
  type Term,
} from '../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';

export interface Met {
  readonly npi: string;
  readonly start: string;
  readonly end?: string | undefined;
}

/** An encounter as access queries read it. @param record the IRI @returns the graph of one name in each record */
export function encounterGraph(record: string, { npi, start, end }: Met): { name: string; quads: Quad[] } {
  const name = `${record}/encounters/met`;
  const [encounter, provider] = [namedNode(name), blankNode('provider')];
  const say = (subject: NamedNode | BlankNode, property: string, object: Term): Quad =>
    quad(subject, namedNode(property), object);
  return {
    name,
    quads: [
      say(encounter, rdf.type, namedNode(sp.Encounter)),
      say(encounter, sp.belongsTo, namedNode(record)),
      say(encounter, sp.provider, provider),
      say(provider, `${prefixes.sp}npiNumber`, literal(npi)),
      say(encounter, sp.startDate, literal(start)),
      ...(end === undefined ? [] : [say(encounter, sp.endDate, literal(end))]),
    ],
  };
}
