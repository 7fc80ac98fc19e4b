import { describe, expect, it } from 'vitest';
import { formatNames, formats, type RdfFormat } from '../../src/rdf/formats.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { exportRdf } from '../../src/records/export-data.js';
import { numberedCanonical } from './canonical.js';
import { base, ontology, place, problem, record, type Place } from './support.js';

const content =
  `_:a ${problem('Asthma', '2009', '; sp:encounters _:e')} _:b ${problem('Flu', '2010')}` +
  '_:e a sp:Encounter ; sp:startDate "2009" ; sp:encounterType [ a sp:CodedValue ; dcterms:title "Ambulatory" ; sp:code <http://smartplatforms.org/terms/codes/EncounterType#ambulatory> ] ; sp:provider [ a sp:Provider ; v:n [ a v:Name ; v:given-name "Ö" ; v:family-name "Å" ] ] .\n' +
  '<http://smartplatforms.org/terms/codes/EncounterType#ambulatory> a sp:Code, spcode:EncounterType ; dcterms:title "x" ; sp:system "http://smartplatforms.org/terms/codes/EncounterType#" ; dcterms:identifier "ambulatory" .';

async function exported({ primary }: Place, format: RdfFormat, recordId?: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of exportRdf({ primary, ontology, base, format, recordId })) pieces.push(piece);
  return pieces.join('');
}

function stored({ primary }: Place): Record<string, string[]> {
  return numberedCanonical([...primary.names()].map((name) => ({ name, quads: primary.graph(name) ?? [] })));
}

describe('an export', () => {
  it.each(formatNames)('of a record as %s can be loaded back as it was', async (format) => {
    const here = await place();
    await here.load('p7.ttl', content);
    const text = await exported(here, format, '7');
    const there = await place();
    const report = await there.load(`back7.${formats[format].extensions[0]}`.replace('.ttl', '.trig'), text);
    expect(report.errors).toEqual([]);
    expect(stored(there)).toEqual(stored(here));
    // Loaded over itself it is no change.
    expect(
      (await here.load(`back7.${formats[format].extensions[0]}`.replace('.ttl', '.trig'), text)).status,
    ).toBe('unchanged');
  });

  it.each(['nquads', 'trig'] as const)(
    'of everything as %s brings all records back from one file',
    async (format) => {
      const here = await place();
      await here.load('p7.ttl', content);
      await here.load('p8.ttl', `_:a ${problem('ASTHMA', '2009')}`);
      const text = await exported(here, format);
      const there = await place();
      const report = await there.load(`all.${formats[format].extensions[0]}`, text);
      expect(report).toMatchObject({
        record_id: null,
        records: ['7', '8'],
        statements: 4,
        errors: [],
        warnings: [],
      });
      expect(stored(there)).toEqual(stored(here));
    },
  );

  it('leaves users and manifests to backup and says so when it is loaded', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    await here.primary.write({
      replace: [{ name: `${base}/users/u`, quads: here.primary.graph(record) ?? [] }],
    });
    const there = await place();
    const report = await there.load('all.nq', await exported(here, 'nquads'), { strict: true });
    expect(report.status).toBe('loaded');
    expect(report.warnings[0]?.reason).toContain(`${base}/users/u`);
  });

  it('is the same text every time and links the record to its statements', async () => {
    const here = await place();
    await here.load('p7.ttl', content);
    for (const format of formatNames) expect(await exported(here, format)).toBe(await exported(here, format));
    const quads = await parseRdf(await exported(here, 'ntriples', '7'), { format: 'ntriples' });
    expect(quads.filter(({ predicate }) => predicate.value === sp.hasStatement)).toHaveLength(3);
  });

  it('of a record that is not there is refused', async () => {
    await expect(exported(await place(), 'turtle', '7')).rejects.toThrow('There is no record 7.');
  });

  it('of nothing is an empty document in every format', async () => {
    const here = await place();
    for (const format of formatNames) {
      expect(await parseRdf(await exported(here, format), { format, baseIRI: `${base}/` })).toEqual([]);
    }
  });
});
