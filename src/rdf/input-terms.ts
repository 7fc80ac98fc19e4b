import { RdfLimitError, RdfSyntaxError } from './rdf-errors.js';
import { describeCharacter, iriFault, shown } from './ntriples.js';
import {
  blankNode,
  defaultGraph,
  literal,
  namedNode,
  quad,
  type BlankNode,
  type Literal,
  type NamedNode,
  type Quad,
  type Term,
} from './terms.js';

export type InputTerms = ReturnType<typeof createInputTerms>;

const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;
const loneSurrogate = /\p{Surrogate}/u;

let calls = 0;

/**
 * Makes a factory for the terms of one input. It refuses terms that could not be written again: malformed IRIs and
 * language tags, lone surrogates, quoted triples. It makes up its own blank node labels. Its functions throw
 * RdfSyntaxError, and RdfLimitError beyond `maxQuads` or `maxText`, without a line.
 * @param maxText the most characters of the statements with every IRI written out: a long prefix, base or subject can
 * expand a short document enormously
 */
export function createInputTerms(maxQuads: number, maxText = Infinity) {
  const prefix = `i${calls++}_`;
  const labels = new Map<string, string>();
  const iris = new Map<string, NamedNode>();
  let blanks = 0;
  let quads = 0;
  let text = 0;

  const spend = (length: number): void => {
    text += length;
    if (text > maxText)
      throw new RdfLimitError(`written out in full, the document holds more than ${maxText} characters`);
  };

  const iri = (value: string): NamedNode => {
    spend(value.length);
    let term = iris.get(value);
    if (term === undefined) {
      const fault = iriFault(value);
      if (fault !== undefined) throw new RdfSyntaxError(fault);
      iris.set(value, (term = namedNode(value)));
    }
    return term;
  };

  return {
    namedNode: iri,
    blankNode(label?: string): BlankNode {
      if (label === undefined) return blankNode(`${prefix}${blanks++}`);
      let own = labels.get(label);
      if (own === undefined) labels.set(label, (own = `${prefix}${blanks++}`));
      return blankNode(own);
    },
    literal(value: string, kind?: string | NamedNode | { language: string }): Literal {
      const lone = loneSurrogate.exec(value);
      if (lone)
        throw new RdfSyntaxError(`a literal cannot hold the lone surrogate ${describeCharacter(lone[0])}`);
      const language =
        typeof kind === 'string' ? kind : kind && 'language' in kind ? kind.language : undefined;
      if (language !== undefined && language !== '') {
        if (!languageTag.test(language)) throw new RdfSyntaxError(`${shown(language)} is no language tag`);
        return literal(value, language);
      }
      return literal(value, typeof kind === 'object' && 'termType' in kind ? iri(kind.value) : undefined);
    },
    defaultGraph,
    variable(name: string): never {
      throw new RdfSyntaxError(`a variable cannot stand in data: ${shown(name)}`);
    },
    quad(subject: Term, predicate: Term, object: Term, graph?: Term): Quad {
      if (++quads > maxQuads) throw new RdfLimitError(`more than ${maxQuads} statements`);
      if (subject.termType === 'Quad' || object.termType === 'Quad') {
        throw new RdfSyntaxError('statements about statements (triple terms) are not supported');
      }
      if (predicate.termType !== 'NamedNode') throw new RdfSyntaxError('a predicate must be an IRI');
      if (subject.termType === 'Literal') throw new RdfSyntaxError('a literal cannot be a subject');
      spend(subject.value.length + predicate.value.length + object.value.length);
      return quad(subject, predicate, object, graph ?? defaultGraph());
    },
  };
}
