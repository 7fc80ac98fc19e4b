import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { runs } from '../setup/runs.js';
import { numberedCanonical } from './canonical.js';
import { names, patient, patientOf, problem, turtle } from './support.js';

const medication = (name: string, instructions: string, more = ''): string =>
  `${name} a sp:Medication ; sp:instructions "${instructions}" ; sp:startDate "2010-01-01" ${more} .\n`;
const fulfillment = (name: string, date: string, of: string): string =>
  `${name} a sp:Fulfillment ; dcterms:date "${date}" ; sp:dispenseDaysSupply "30" ; sp:medication ${of} .\n`;

const linked =
  '_:r a sp:MedicalRecord ; sp:hasStatement _:m1 .\n' +
  medication('_:m1', 'one', '; sp:belongsTo _:r ; sp:fulfillment _:f1, _:f2') +
  medication('_:m2', 'one', '; sp:fulfillment _:f3') +
  medication('_:m3', 'two') +
  fulfillment('_:f1', '2010-02-01', '_:m1') +
  fulfillment('_:f2', '2010-03-01', '_:m1') +
  fulfillment('_:f3', '2010-02-01', '_:m2') +
  fulfillment('_:f4', '2010-02-01', '_:m3') +
  ['4', '5', '6'].map((n) => medication(`_:m${n}`, 'three', `; sp:fulfillment _:g${n}`)).join('') +
  ['6', '5', '4'].map((n) => fulfillment(`_:g${n}`, '2011', `_:m${n}`)).join('') +
  `_:p ${problem('Asthma', '2009')}` +
  '_:d a sp:Demographics ; v:n [ a v:Name ; v:given-name "A" ; v:family-name "B" ] .';

/** Gives blank nodes other labels and the quads another order. */
function disguised(quads: readonly Quad[], order: readonly number[]): Quad[] {
  const rename = (term: Term): Term =>
    term.termType === 'BlankNode' ? blankNode(`z${term.value.split('').reverse().join('')}q`) : term;
  const keyed = quads.map(({ subject, predicate, object }, at) => ({
    key: order[at % order.length] ?? 0,
    quad: quad(rename(subject), predicate, rename(object)),
  }));
  return keyed.sort((a, b) => a.key - b.key).map((entry) => entry.quad);
}

describe('statements without an IRI', () => {
  it('are named by their content, whatever labels and order the file has', async () => {
    const quads = await turtle(linked);
    const expected = numberedCanonical(patientOf(quads).graphs);
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 3, maxLength: 60 }), (order) => {
        expect(numberedCanonical(patientOf(disguised(quads, order)).graphs)).toEqual(expected);
      }),
      { numRuns: runs(50) },
    );
  });

  it('keep their names when other statements are added that link to them', async () => {
    const alone = names(await patient(medication('_:m', 'one')));
    const joined = names(
      await patient(medication('_:m', 'one', '; sp:fulfillment _:f') + fulfillment('_:f', '2010', '_:m')),
    );
    expect(joined).toContain(alone[0]);
  });

  it('differ when what the ontology requires them to link to differs', async () => {
    const made = names(
      await patient(
        medication('_:m', 'one') +
          medication('_:n', 'two') +
          fulfillment('_:f', '2010', '_:m') +
          fulfillment('_:g', '2010', '_:n'),
      ),
    );
    expect(made).toHaveLength(4);
    expect(made.every((name) => /^\w+\/[0-9a-f]{16}$/.test(name))).toBe(true);
  });

  it('are numbered when they are identical', async () => {
    const [first = '', second, third] = names(
      await patient(['_:a', '_:b', '_:c'].map((node) => medication(node, 'x')).join('')),
    );
    expect([second, third]).toEqual([`${first}-2`, `${first}-3`]);
  });

  it('do not take the name of an identical statement that has one', async () => {
    const [name = ''] = names(await patient(medication('_:m', 'x')));
    const both = names(await patient(medication(`<${name}>`, 'x') + medication('_:m', 'x')));
    expect(both).toEqual([name, `${name}-2`]);
  });

  it('have the same ids under every base URL and in every record', async () => {
    const [here] = names(
      await patient('_:r a sp:MedicalRecord .' + medication('_:m', 'x', '; sp:belongsTo _:r')),
    );
    const [there] = names(await patient(medication('_:m', 'x', '; sp:belongsTo </records/7>')));
    expect(here).toBe(there);
  });
});

describe('classes that a record has one of', () => {
  it('a class that a record has one of takes no id into its IRI', async () => {
    expect(names(await patient('_:s a sp:SocialHistory . _:p a sp:Photograph .'))).toEqual([
      'photograph',
      'social_history',
    ]);
  });

  it('are refused when a file has two', async () => {
    const two = '[] a sp:SocialHistory ; sp:notes "a" . [] a sp:SocialHistory ; sp:notes "b" .';
    await expect(patient(two)).rejects.toThrow('more than one SocialHistory');
    await expect(patient('<social_history> a sp:SocialHistory . [] a sp:SocialHistory .')).rejects.toThrow(
      'more than one',
    );
  });
});

describe('statements with an IRI', () => {
  it.each([
    ['of another record', '</records/8/medications/m>'],
    ['that does not fit their class', '<problems/m>'],
    ['with an id that is none', '<medications/a/b>'],
    ['without an id', '<medications>'],
    ['from elsewhere', '<http://elsewhere.example/m>'],
  ])('are refused with an IRI %s, and told what to do', async (_, iri) => {
    await expect(patient(medication(iri, 'x'))).rejects.toThrow(
      'write it as a blank node, or name it http://chart.test/records/7/medications/{id}',
    );
  });

  it('a statement keeps its IRI when that fits', async () => {
    expect(names(await patient(medication('<medications/m1>', 'x')))).toEqual(['medications/m1']);
  });
});
