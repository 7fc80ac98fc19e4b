import { cg, dcterms, rdf, skos, sp } from '../rdf/vocabulary.js';
import type { Graph } from './graph.js';
import { isA, type ClassModel, type CodeModel } from './model.js';
import { localName } from './term-names.js';

/**
 * The coded individuals: everything typed with a class beneath sp:Code. Where an individual states no system or
 * identifier, they are the two parts of its IRI, as the vocabulary's own data has them.
 */
export function readCodes(graph: Graph, classes: Map<string, ClassModel>): Map<string, CodeModel> {
  const codes = new Map<string, CodeModel>();
  for (const iri of graph.subjects()) {
    if (iri.startsWith('_:')) continue;
    const types = graph.iris(iri, rdf.type).filter((type) => isA({ classes }, type, sp.Code));
    if (types.length === 0) continue;
    const identifier = localName(iri);
    codes.set(iri, {
      iri,
      title: graph.value(iri, dcterms.title) ?? '',
      system: graph.value(iri, sp.system) ?? iri.slice(0, iri.length - identifier.length),
      identifier: graph.value(iri, dcterms.identifier) ?? identifier,
      classes: types,
      broader: graph.iris(iri, skos.broader).sort(),
      isOver: graph.value(iri, cg.over) === 'true',
      isOutside: graph.value(iri, cg.outside) === 'true',
    });
  }
  return codes;
}
