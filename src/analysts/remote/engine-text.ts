import { decodedSparql, parseSparql } from '../../model/query/syntax.js';
import { tokenize } from '../../model/query/tokenizer.js';
import { foreignTerm } from '../foreign-term.js';
import { QueryFault } from '../query-fault.js';

/**
 * Writes a checked query as the engine gets it: with its escapes resolved and without comments, so that no engine reads
 * anything else than what was checked. @param baseIri that relative IRIs resolve against @throws QueryFault
 */
export function textForEngine(sparql: string, baseIri: string, terms: ReadonlySet<string>): string {
  const tokens = tokenize(decodedSparql(sparql));
  const text = tokens.map((token) => (token.kind === 'comment' ? ' ' : token.text)).join('');
  // An engine would resolve them again.
  if (/\\u[0-9A-F]{4}|\\U[0-9A-F]{8}/iu.test(text) || foreignTerm(parseSparql(text), terms) !== undefined)
    throw new QueryFault('The query has an escape within an escape; write its characters as they are.');
  return `BASE <${baseIri}>\n${text}`;
}
