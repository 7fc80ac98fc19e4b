import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import { codeWords, placesOfCodes } from '../../../src/pages/shown/code-words.js';

const loinc = 'http://purl.bioontology.org/ontology/LNC/';
let ontology: Ontology;

beforeAll(async () => {
  ({ ontology } = await loadOntology(join(resolve(import.meta.dirname, '..', '..', '..'), 'ontology')));
});

const firstCodes = (): readonly string[] =>
  [...ontology.classes.values()].find(({ codeBase }) => codeBase === loinc)?.firstCodes ?? [];

it('has the tests that are looked for first in clinical order, in mass and in molar units', () => {
  const places = placesOfCodes(ontology);
  const of = (code: string): number => places.get(loinc + code) ?? Infinity;
  // Potassium, sodium, creatinine, filtration rate, urea, haemoglobin, leukocytes, platelets, glucose, HbA1c, INR,
  // troponins I and T, D-dimer, lactate, pH, C reactive protein, procalcitonin, bilirubin, ALT, AST, albumin, BNP, TSH, LDL.
  const mass =
    '2823-3 2951-2 2160-0 98979-8 3094-0 718-7 6690-2 777-3 2345-7 4548-4 6301-6 89579-7 67151-1 48065-7 2524-7 2744-1 1988-5 33959-8 1975-2 1742-6 1920-8 1751-7 33762-6 3016-3 13457-7';
  const molar =
    '2823-3 2951-2 14682-9 22664-7 59260-0 14749-6 59261-8 32693-4 14631-6 54347-0 33763-4 39469-2';
  for (const codes of [mass, molar]) {
    const own = codes.split(' ').map(of);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
    expect(own.at(-1)).toBeLessThan(Infinity);
  }
});

it.each([
  ['INR in Platelet poor plasma by Coagulation assay', 'INR in Platelet poor plasma'],
  ['Fibrin D-dimer FEU [Mass/volume] in Platelet poor plasma', 'D-dimer FEU in Platelet poor plasma'],
  ['Oxygen [Partial pressure] in Arterial blood', 'Oxygen in Arterial blood'],
  ['Fibrin split products in Blood', 'Fibrin split products in Blood'],
])('shortens %s to %s', (title, short) => {
  expect(codeWords(ontology, `${loinc}1-8`, title)).toBe(short);
});

it('names each first code of LOINC once, with its check digit', () => {
  const codes = firstCodes();
  expect(new Set(codes).size).toBe(codes.length);
  // LOINC Users' Guide, appendix C: the check digit is by modulus 10, as Luhn has it.
  const checked = codes.filter((code) => {
    const [digits = '', check] = code.split('-');
    const sum = [...digits]
      .reverse()
      .map((digit, at) => (at % 2 === 0 ? [...String(Number(digit) * 2)].map(Number) : [Number(digit)]))
      .flat()
      .reduce((all, each) => all + each, 0);
    return String((10 - (sum % 10)) % 10) === check;
  });
  expect(checked).toEqual(codes);
});
