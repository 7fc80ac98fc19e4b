import { isInnerName } from '../rdf/skolem-iris.js';

/**
 * For `readTriples`: turns the names of blank nodes back into blank nodes. The label is the name itself in letters
 * that every syntax allows, so results that are put together never confuse two nodes, whatever the base.
 */
export function innerLabelUnder(base: string): (iri: string) => string | undefined {
  return (iri) => {
    if (!isInnerName(iri, base)) return undefined;
    return label(iri.startsWith(`${base}/`) ? iri.slice(base.length + 1) : iri);
  };
}

function label(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9-]/gu, (character) =>
    character === '/' ? '.' : `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
