import { describe, expect, test } from 'vitest';
import { graphDifference } from '../../src/rdf/graph-difference.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { literal, quad, type Quad, type Term } from '../../src/rdf/terms.js';

const read = (turtle: string): Promise<Quad[]> =>
  parseRdf(`@prefix : <urn:x:> . ${turtle}`, { format: 'turtle' });

const short = (term: Term): string =>
  term.termType === 'BlankNode' ? '_' : term.value.replace('urn:x:', '');
const shown = (quads: readonly Quad[]): string[] =>
  quads.map(({ predicate, object }) => `${short(predicate)} ${short(object)}`).sort();

describe('how a graph became another', () => {
  // prettier-ignore
  test.each<readonly [string, old: string, now: string, removed: string[], added: string[]]>([
    ['the same triples in another order',      ':a :p 1 , 2 .', ':a :p 2 , 1 .', [], []],
    ['the same with other labels',             ':a :p _:x . _:x :q 1 .', ':a :p _:y . _:y :q 1 .', [], []],
    ['labels exchanged',                       '_:x :q 1 . _:y :q 2 .', '_:y :q 1 . _:x :q 2 .', [], []],
    ['a circle with other labels',             '_:x :p _:y . _:y :p _:x . _:x :q 1 .', '_:m :p _:n . _:n :p _:m . _:n :q 1 .', [], []],
    ['a triple more',                          ':a :p 1 .', ':a :p 1 , 2 .', [], ['p 2']],
    ['a triple less',                          ':a :p 1 , 2 .', ':a :p 1 .', ['p 2'], []],
    ['another datatype',                       ':a :p 1 .', ':a :p "1" .', ['p 1'], ['p 1']],
    ['a node more that looks the same',        ':a :p _:x . _:x :q 1 .', ':a :p _:x , _:y . _:x :q 1 . _:y :q 1 .', [], ['p _', 'q 1']],
    ['a word changed in one of many nodes', ':a :p [ :q 5 ] , [ :q 2 ] , [ :q 4 ] , [ :q 3 ] .', ':a :p [ :q 5 ] , [ :q 2 ] , [ :q 4 ] , [ :q 9 ] .', ['p _', 'q 3'], ['p _', 'q 9']],
    ['everything',                             ':a :p 1 .', '', ['p 1'], []],
  ])('%s', async (_, old, now, removed, added) => {
    const difference = graphDifference(await read(old), await read(now));
    expect({ removed: shown(difference.removed), added: shown(difference.added) }).toEqual({ removed, added });
  });

  test('a word changed in a node that keeps its label is that word alone', async () => {
    const old = await read(':a :p _:x , _:y . _:x :q 1 . _:y :q 2 .');
    const now = old.map((each) =>
      each.object.value === '1' ? quad(each.subject, each.predicate, literal('3')) : each,
    );
    const { removed, added } = graphDifference(old, now);
    expect([shown(removed), shown(added)]).toEqual([['q 1'], ['q 3']]);
  });

  test('nodes that cannot be told apart in time are compared by their labels', async () => {
    // A complete graph of blank nodes leaves every label possible.
    const names = Array.from({ length: 120 }, (_, i) => `_:n${i}`);
    const links = names.flatMap((a) => names.filter((b) => a !== b).map((b) => `${a} :p ${b} .`));
    const whole = await read(links.join('\n'));
    const { removed, added } = graphDifference(whole, whole.slice(1));
    expect([removed.length, added.length]).toEqual([1, 0]);
  });
});
