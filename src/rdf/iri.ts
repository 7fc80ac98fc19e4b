/** Characters that no IRI holds (RDF 1.1 Turtle §6.5, IRIREF; RFC 3987 §2.2, ucschar), and lone surrogates. */

const illegal = /[\u0000-\u0020\u007f-\u009f<>"{}|^`\\]|\p{Surrogate}/u;

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Whether a text can stand between `<` and `>`: nothing in it could end the IRI or start something else. */
export function isWritableIri(iri: string): boolean {
  return !illegal.test(iri);
}

/** Why a text is no absolute IRI (RFC 3987 §2.2, as far as it keeps graphs exchangeable); undefined when it is one. */
export function iriFault(iri: string): string | undefined {
  const bad = illegal.exec(iri);
  if (bad) return `an IRI cannot hold ${describeCharacter(bad[0])}: ${shown(iri)}`;
  if (!scheme.test(iri)) return `the IRI is not absolute: ${shown(iri)}`;
  return undefined;
}

/** A character as people can read it in a message: `U+0007`, or the quoted character itself. */
export function describeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return code > 0x20 && code < 0x7f ? `"${character}" (${name})` : name;
}

/** A text cut to what a message can show, as JSON so that nothing in it is invisible. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 120 ? text.slice(0, 119) + '…' : text);
}
