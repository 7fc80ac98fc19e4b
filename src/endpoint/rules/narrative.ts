import { SaxesParser, type SaxesTagNS } from 'saxes';
import { isPlainNarrative } from './plain-narrative.js';
import { isAllowedAttribute, isAllowedElement, isSafeUrl, isSafeStyle, urlAttributes } from './xhtml.js';
import { xhtml } from '../../rdf/vocabulary.js';

/**
 * What is wrong with the XHTML of a narrative, as a sentence; undefined when nothing is. It must be one well-formed
 * `div` (FHIR R4 Narrative.div) that holds the formatting of HTML and nothing that runs, loads or submits anything
 * (txt-1), and it must say something (txt-2).
 */
export function narrativeFault(div: string): string | undefined {
  return isPlainNarrative(div) ? undefined : parsedFault(div);
}

/** Thrown out of the parser, which then reads no further. */
class NarrativeFault extends Error {}

function parsedFault(div: string): string | undefined {
  try {
    parse(div);
    return undefined;
  } catch (error) {
    if (error instanceof NarrativeFault) return error.message;
    throw error;
  }
}

function parse(div: string): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let says = false;
  const hear = (text: string): void => {
    says ||= /\S/u.test(text);
  };
  parser.on('error', (error) => refuse(`The XHTML is not well-formed: ${reasonOf(error)}.`));
  parser.on('doctype', () => refuse('A narrative has no document type declaration.'));
  parser.on('processinginstruction', () => refuse('A narrative has no processing instructions.'));
  parser.on('opentag', (tag) => {
    if (depth === 0) checkRoot(tag);
    if (++depth > MAX_DEPTH) refuse(`The elements of the narrative nest deeper than ${MAX_DEPTH}.`);
    checkElement(tag);
    says ||= tag.local === 'img';
  });
  parser.on('closetag', () => depth--);
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.write(div).close();
  if (!says) refuse('The narrative holds no text.');
}

/** The parser looks a namespace up through all open elements. */
const MAX_DEPTH = 200;

/** saxes puts its place in front: `1:20: unexpected close tag.` */
function reasonOf(error: Error): string {
  return error.message.replace(/^(\d+):(\d+): (.*?)\.?$/su, '$3 (line $1, column $2)');
}

function checkRoot({ local, uri }: SaxesTagNS): void {
  if (local !== 'div') refuse(`A narrative is a <div>, not a <${local}>.`);
  if (uri !== xhtml) refuse(`The <div> of a narrative is in the namespace ${xhtml}.`);
}

function checkElement({ local, name: element, uri, attributes }: SaxesTagNS): void {
  if (uri !== xhtml || !isAllowedElement(local)) refuse(`A narrative cannot hold <${element}>.`);
  for (const [name, { value }] of Object.entries(attributes)) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    if (!isAllowedAttribute(local, name))
      refuse(`A narrative cannot hold the attribute "${name}" of <${local}>.`);
    if (urlAttributes.has(name) && !isSafeUrl(value))
      refuse(`The "${name}" of <${local}> would run a program.`);
    if (name === 'style' && !isSafeStyle(value))
      refuse(`The style of <${local}> would load or run something.`);
  }
}

function refuse(sentence: string): never {
  // Names and attributes are as long as their writer liked.
  throw new NarrativeFault(sentence.length > 300 ? `${sentence.slice(0, 298)}….` : sentence);
}
