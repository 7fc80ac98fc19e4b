import { expect, it } from 'vitest';
import { readableAge, readableDate, readableQuantity } from '../../../src/http/html/readable.js';

it.each([
  ['2011', '2011'],
  ['2011-05', 'May 2011'],
  ['2011-05-06', '6 May 2011'],
  ['2011-05-06T15:30:00Z', '6 May 2011, 15:30 UTC'],
  ['2011-05-06T15:30', '6 May 2011, 15:30 UTC'],
  ['2011-05-06T15+02:00', '6 May 2011, 15:00 +02:00'],
  ['yesterday', 'yesterday'],
])('a date is no finer for people than it is written: %s', (date, text) => {
  expect(readableDate(date)).toBe(text);
});

it.each([
  ['128', 'mm[Hg]', '128 mmHg'],
  ['7.1', '%', '7.1%'],
  ['98', '%{HemoglobinSaturation}', '98%'],
  ['37', 'Cel', '37 °C'],
  ['24', 'kg/m2', '24 kg/m²'],
  ['72', '{beats}/min', '72 beats/min'],
  ['1', '{tablet}', '1 tablet'],
  ['90', '{tablet}', '90 tablets'],
  ['1.0056', '{nominal}', '1.0056'],
  ['5', '{score}', '5'],
  ['0.4', '{ratio}', '0.4'],
  ['3', '{#}', '3'],
  ['1.2', '{INR}', '1.2 INR'],
  ['0.27', 'ug/mL{FEU}', '0.27 µg/mL FEU'],
  ['30', 'mg/g{creat}', '30 mg/g creat'],
  ['2', '/100{WBCs}', '2 /100 WBCs'],
  ['90', 'mL/min/{1.73_m2}', '90 mL/min/1.73 m²'],
  ['250', 'cells/mm3', '250 cells/mm³'],
  ['2', '/d', '2 a day'],
  ['4.5', '10*3/uL', '4.5 10³/µL'],
  ['4.5', 'u[IU]/mL', '4.5 µIU/mL'],
  ['10', 'units/mL', '10 units/mL'],
  ['3', '', '3'],
  ['1.2', '1', '1.2'],
])('a quantity is read as people say it: %s %s', (value, unit, text) => {
  expect(readableQuantity(value, unit)).toBe(text);
});

it.each([
  ['2020-02-29', '2021-02-28', '11 months'],
  ['2020-02-29', '2020-03-29', '1 month'],
  ['2020-02-28', '2022-02-28', '2 years'],
  ['1990-06-02', '2020-06-01', '29 years'],
  ['1990', '2020-06-01', 'about 30 years'],
  ['2020', '2020-06-01', 'under 1 year'],
  ['1990-06', '2020-06-20', 'about 30 years'],
  ['1990-06', '2020-07-01', '30 years'],
  ['1990-06-15', '2020', 'about 30 years'],
  ['1990-06-15', '1990', 'under 1 year'],
  ['2020-06-15', '2021-02', 'about 8 months'],
  ['2020-05-22', '2020-06-01', '10 days'],
  ['2020-05-31', '2020-06-01T18:00:00Z', '1 day'],
  ['2020-06-01', '2020-06-01', '0 days'],
  ['2020-06', '2020-06-20', 'under 1 month'],
  ['2021-01-01', '2020-06-01', ''],
  ['', '2020-06-01', ''],
])('who was born at %s is on %s so old: %s', (birthday, at, age) => {
  expect(readableAge(birthday, at)).toBe(age);
});
