import { dcterms, foaf, rdf, sp, vcard } from '../../dist/rdf/vocabulary.js';
import { inventedName, inventedText } from './invented-names.mjs';

/** Ten patients in a row are a family and bear its name, so that a search for it finds ten. */
const FAMILY = 10;

const text =
  (low, high) =>
  ({ random }) =>
    inventedText(random.integer(low, high), (items) => random.pick(items));
const digits =
  (low, high) =>
  ({ random }) =>
    String(random.integer(low, high));
const name = ({ random }) => inventedName(random.integer(0, 9999));

/** Literals by property; every other property gets a few words. */
const literals = {
  [vcard['given-name']]: ({ number }) => inventedName(50_000_000 + number),
  [vcard['additional-name']]: name,
  [vcard['family-name']]: ({ number }) => inventedName(Math.floor(number / FAMILY)),
  [vcard['honorific-prefix']]: () => 'Dr.',
  [vcard['honorific-suffix']]: () => 'MD',
  [vcard['street-address']]: (person) => `${digits(1, 99)(person)} ${name(person)} Lane`,
  [vcard['extended-address']]: (person) => `Flat ${digits(1, 40)(person)}`,
  [vcard.locality]: name,
  [vcard.region]: ({ random }) => random.pick(['Northmere', 'Southmere', 'Eastmere', 'Westmere']),
  [vcard['postal-code']]: ({ number }) => String(10_000 + (number % 2000)),
  [vcard['country-name']]: () => 'Nowhere',
  [vcard['organization-name']]: (person) => `${name(person)} House`,
  [vcard.email]: ({ number }) => `patient-${number}@example.org`,
  // 555-0100 to 555-0199 are kept free for fiction.
  [rdf.value]: (person) => `555-01${digits(10, 99)(person)}`,
  [foaf.gender]: ({ random }) => random.pick(['female', 'male']),
  [sp.preferredLanguage]: ({ random }) => random.pick(['en', 'de', 'es', 'fr']),
  [sp.race]: () => 'not stated',
  [sp.ethnicity]: () => 'not stated',
  [sp.dispenseDaysSupply]: ({ random }) => random.pick(['30', '60', '90']),
  [sp.accessionNumber]: digits(1_000_000, 9_999_999),
  [sp.value]: text(12, 60),
  [sp.encoding]: () => 'UTF-8',
  [sp.system]: () => 'Invented charts',
  [dcterms.identifier]: ({ recordId }) => recordId,
  [dcterms.title]: text(2, 4),
};

/** A literal of a property that is neither a date nor a choice. */
export function inventLiteral(property, person) {
  return (literals[property] ?? text(3, 9))(person);
}

/** Years between which dates lie: what ends does so after it began. */
const years = {
  [vcard.bday]: [1930, 2004],
  [sp.startDate]: [2005, 2017],
  [sp.endDate]: [2018, 2024],
};

/** An ISO 8601 date: a day, now and then with a time, now and then the year alone. */
export function inventDate(property, { random }) {
  const [from, to] = years[property] ?? [2005, 2024];
  const two = (low, high) => String(random.integer(low, high)).padStart(2, '0');
  const day = `${random.integer(from, to)}-${two(1, 12)}-${two(1, 28)}`;
  if (property === vcard.bday) return day;
  const kind = random.next();
  return kind < 0.7 ? day : kind < 0.9 ? `${day}T${two(0, 23)}:${two(0, 59)}:00Z` : day.slice(0, 4);
}

const quantities = {
  [sp.bodyMassIndex]: { from: 17, to: 39, decimals: 1, code: '39156-5' },
  [sp.diastolic]: { from: 55, to: 105, code: '8462-4' },
  [sp.frequency]: { from: 1, to: 4, unit: '/d' },
  [sp.gestationalAgeAtBirth]: { from: 28, to: 41 },
  [sp.headCircumference]: { from: 33, to: 59, code: '8287-5' },
  [sp.heartRate]: { from: 48, to: 120, code: '8867-4' },
  [sp.height]: { from: 140, to: 200, code: '8302-2' },
  [sp.maximum]: { from: 101, to: 200, unit: 'mg/dL' },
  [sp.minimum]: { from: 10, to: 100, unit: 'mg/dL' },
  [sp.oxygenSaturation]: { from: 88, to: 100, code: '2710-2' },
  [sp.quantity]: { from: 1, to: 2, unit: '{tablet}' },
  [sp.quantityDispensed]: { from: 30, to: 180, unit: '{tablet}' },
  [sp.respiratoryRate]: { from: 9, to: 24, code: '9279-1' },
  [sp.systolic]: { from: 95, to: 175, code: '8480-6' },
  [sp.temperature]: { from: 36, to: 40, decimals: 1, code: '8310-5' },
  [sp.weight]: { from: 40, to: 130, decimals: 1, code: '3141-9' },
};

const anyQuantity = { from: 1, to: 200, unit: 'mg/dL' };

export function quantityOf(property) {
  return quantities[property] ?? anyQuantity;
}

/** A number of a quantity, as text. */
export function inventNumber({ from, to, decimals = 0 }, { random }) {
  return (from + random.next() * (to - from)).toFixed(decimals);
}
