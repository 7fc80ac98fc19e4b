import { isAllowedElement } from './xhtml.js';
import { xhtml } from '../../rdf/vocabulary.js';

const START = `<div xmlns="${xhtml}">`;

/** A tag without attributes, or with the commonest harmless ones, and then text without markup. */
const piece =
  /<(\/?)([a-z][a-z0-9]*)(?: (?:class|id|title|lang)="[^"<&\u0000-\u001f\ufffe\uffff]*")?( ?\/)?>([^<&\u0000-\u0008\u000b-\u001f\ufffe\uffff]*)/uy;

/** Longer texts are rare and may hold anything. */
const MAX_LENGTH = 10_000;

/**
 * Whether a text is a narrative of the commonest kind: plain tags in their right order and plain text. It is a short
 * way past the parser, which takes some ten times as long; a text that is not told to be plain may still be right.
 */
export function isPlainNarrative(div: string): boolean {
  if (div.length > MAX_LENGTH || !div.startsWith(START) || !div.isWellFormed()) return false;
  const open: string[] = ['div'];
  let says = false;
  let at = START.length;
  const text = /[^<&\u0000-\u0008\u000b-\u001f\ufffe\uffff]*/uy;
  text.lastIndex = at;
  const first = text.exec(div)?.[0] ?? '';
  // "]]>" may not stand in text (XML 1.0 §2.4); such a text is the parser's.
  if (div.includes(']]>')) return false;
  says = /\S/u.test(first);
  at += first.length;
  while (at < div.length) {
    piece.lastIndex = at;
    const found = piece.exec(div);
    if (found === null) return false;
    const [all, closing, name = '', empty, after = ''] = found;
    if (closing === '/') {
      if (empty !== undefined || open.pop() !== name) return false;
    } else {
      if (open.length === 0 || !isAllowedElement(name)) return false;
      if (empty === undefined) open.push(name);
    }
    if (open.length === 0 && after.trim() !== '') return false;
    says ||= after.trim() !== '';
    at += all.length;
  }
  return says && open.length === 0;
}
