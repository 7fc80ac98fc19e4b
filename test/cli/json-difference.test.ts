import { describe, expect, test } from 'vitest';
import { splitDocuments, trialText } from '../../src/cli/ontology/trial-text.js';
import { literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { cg, dcterms } from '../../src/rdf/vocabulary.js';

const manifest = namedNode('http://localhost/manifest');
const json = (text: string): Quad => quad(manifest, namedNode(cg.json), literal(text));
const other = quad(manifest, namedNode(dcterms.description), literal('about'));

describe('two versions of a JSON document', () => {
  // prettier-ignore
  test.each<readonly [string, unknown, unknown, unknown[]]>([
    ['the same in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a member that changed',     { a: { b: 1 } }, { a: { b: 2 } }, [{ pointer: '/a/b', from: '1', to: '2' }]],
    ['a member that came',        {}, { a: [1] }, [{ pointer: '/a', to: '[1]' }]],
    ['a member that went',        { a: null }, {}, [{ pointer: '/a', from: 'null' }]],
    ['an array, whole',           { a: [1, 2] }, { a: [2, 1] }, [{ pointer: '/a', from: '[1,2]', to: '[2,1]' }]],
    ['a name with signs',         { 'a/b~c': 1 }, {}, [{ pointer: '/a~1b~0c', from: '1' }]],
    ['another kind of document',  { a: 1 }, [1], [{ pointer: '', from: '{"a":1}', to: '[1]' }]],
  ])('show %s', (_, old, now, members) => {
    const split = splitDocuments([json(JSON.stringify(old))], [json(JSON.stringify(now)), other]);
    expect(split.documents.map((each) => each.members)).toEqual([members]);
    expect(split).toMatchObject({ removed: [], added: [other] });
  });

  test('stay triples where one of them is no JSON, or has no counterpart', () => {
    const [bad, good] = [json('{'), json('{}')];
    expect(splitDocuments([bad], [good])).toEqual({ documents: [], removed: [bad], added: [good] });
    expect(splitDocuments([good], [])).toEqual({ documents: [], removed: [good], added: [] });
  });

  test('are told to people by the members that differ', () => {
    const old = { name: 'Container', capabilities: { 'sp:Problem': { methods: ['GET'] } } };
    const now = { name: 'Container', capabilities: { 'sp:Problem': { methods: ['GET', 'POST'] } } };
    const difference = {
      resource: manifest.value,
      removed: [json(JSON.stringify(old))],
      added: [json(JSON.stringify(now))],
      reordered: false,
    };
    const trial = {
      call: 'get_container_manifest',
      status: 'different',
      asked: 1,
      of: 1,
      triples: 1,
    } as const;
    const text = trialText(
      { over: 'the seed', limit: 1, trials: [{ ...trial, differences: [difference] }] },
      (_, text) => text,
    );
    expect(text.split('\n').slice(3, 6)).toEqual([
      '  http://localhost/manifest',
      '    - /capabilities/sp:Problem/methods: ["GET"]',
      '    + /capabilities/sp:Problem/methods: ["GET","POST"]',
    ]);
  });
});
