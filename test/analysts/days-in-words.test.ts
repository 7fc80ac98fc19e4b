import { expect, it } from 'vitest';
import { KnownNames } from '../../src/analysts/known-names.js';
import { tellsWho } from '../../src/analysts/deidentify/literals.js';

const view = { base: 'https://example.org', names: new KnownNames([]) };

it.each([
  'seen 2020-05-06 at noon',
  'seen 2020/5/6',
  'dob 02/03/1934',
  'since 6.5.2020',
  'born 3 Feb 1961',
  'on the 3rd of February 1961',
  'Fracture, February 3, 1961',
  '03-FEB-1961',
  'dob 02/03/34',
  'since 6.5.20',
  "seen 6-5-'20",
  'seen 20200506',
  'on 02 03 1934',
  'on 2020 – 05 – 06',
  'on 2020_05_06',
  'on 02‑03‑1934',
  'seen on 3 Feb',
  'Fracture, February 3',
  'am 6. Mai 2020',
  'le 6 février 2020',
  'le 1er août',
  'el 6 de mayo de 2020',
  'il 6 luglio 2020',
  'em 6 de março de 2020',
  'op 6 mrt. 2020',
  'den 6 maj 2020',
  'born on 6th of May',
])('leaves out a text with a day in it: %s', (text) => {
  expect(tellsWho(text, view)).toBe(true);
});

it.each([
  ...['1-2-3', '2 marrow samples', '10*6/uL', 'Dose 1.5-2.5 mg', '12.5 mg/1 mL', 'HIV 4th gen', 'Set 2'],
  ...['mg/dL', '10*3/uL', 'Influenza 2009 H1N1', 'Dose 1/2 tablet', '120-160 mg', 'Code 1234567890'],
])('shows a text without a day: %s', (text) => {
  expect(tellsWho(text, view)).toBe(false);
});
