import { describe, expect, it } from 'vitest';
import type { RdfFormat } from '../../src/rdf/formats.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { RdfSyntaxError } from '../../src/rdf/rdf-errors.js';

const statements = 1_500;
const namespaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:"';
const numbers = Array.from({ length: statements }, (_, i) => i);
/** The same statements, whose tokens lie across every place that a text could be cut at. */
const documents: readonly (readonly [RdfFormat, (pad: string) => string])[] = [
  [
    'turtle',
    (pad) =>
      `@prefix e: <urn:e:> . #${pad}\n${numbers.map((i) => `<urn:s> e:p "é😀\\n${i}"@en-x, """a\n${i}""" , ${i}.5 .`).join('\r\n')}`,
  ],
  [
    'rdfxml',
    (pad) =>
      `<rdf:RDF ${namespaces}><!--${pad}-->${numbers.map((i) => `<rdf:Description rdf:about="urn:s"><e:p xml:lang="en-x">é😀&#10;${i}</e:p><e:p>a\n${i}</e:p><e:p rdf:datatype="http://www.w3.org/2001/XMLSchema#decimal"><![CDATA[${i}]]>.5</e:p></rdf:Description>`).join('\r\n')}</rdf:RDF>`,
  ],
];

describe('a long text', () => {
  it.each(documents)('in %s is the same wherever it is parted', async (format, make) => {
    for (let pad = 0; pad < 5; pad++) {
      const quads = await parseRdf(make('x'.repeat(pad * 3)), { format });
      expect(quads).toHaveLength(3 * statements);
      const last = quads.slice(-3).map(({ object }) => object.value);
      expect(last).toEqual(['é😀\n1499', 'a\n1499', '1499.5']);
    }
  });

  it.each(documents)('in %s is read in many turns of the event loop', async (format, make) => {
    const text = make('');
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns++;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    await parseRdf(text, { format });
    isRead = true;
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / 2 ** 16));
  });

  it.each(documents)('in %s is read on when who waits for it says so', async (format, make) => {
    const text = make('');
    let pauses = 0;
    const quads = await parseRdf(text, {
      format,
      pause: () => {
        pauses++;
        return Promise.resolve();
      },
    });
    expect(quads).toHaveLength(3 * statements);
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(text.length / 2 ** 16));
  });

  it.each(documents)('in %s is refused where it breaks off', async (format, make) => {
    const broken = `${make('')}\n<`;
    await expect(parseRdf(broken, { format })).rejects.toThrow(RdfSyntaxError);
  });
});
