import { readTriples } from '../rdf/ntriples.js';
import { resolveText } from './relative-text.js';

/** Any base serves to find out whether a text can be read. */
const BASE = 'http://localhost';

/** Reads the stored text of a graph, as filling a working set will have to. @throws Error when it cannot be read */
export function checkText(_path: string, text: string): void {
  readTriples(resolveText(text, BASE), () => undefined);
}
