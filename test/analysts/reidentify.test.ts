import { describe, expect, it } from 'vitest';
import { literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { rdf, vcard, xsd } from '../../src/rdf/vocabulary.js';
import type { ClassModel, PropertyModel } from '../../src/model/ontology/model.js';
import { base, ontology, viewOf } from './containers.js';

/** Attacks on the de-identified level. They take classes and properties from the ontology, so new ones are attacked too. */
const record = `${base}/records/7`;
const demographics = `${record}/demographics`;
const say = (subject: string, property: string, object: Quad['object']): Quad =>
  quad(namedNode(subject), namedNode(property), object);
const person = [
  say(demographics, vcard['given-name'], literal('Zephyrine')),
  say(demographics, vcard['family-name'], literal('Quackenbush')),
  say(demographics, vcard.bday, literal('1961-02-03')),
];
const classes = [...ontology.classes.values()];
/** One class of each kind: classes differ only in what they call impersonal. */
const kinds = [...new Map(classes.map((each) => [each.impersonal.join(' '), each])).values()];
const properties = [...ontology.properties.values()];
const any = kinds[0] as ClassModel;
const view = viewOf([{ name: demographics, quads: person }]);
const secrets = [
  'Zephyrine Quackenbush',
  'Featherstonehaugh',
  'Zwyssig.Annabelle',
  '555-0142',
  '5550142',
  '8005551213',
  'z@example.org',
  'born 3 Feb 1961',
  '{Featherstonehaugh}/min',
  '1961-02-03T13:05:12-05:00',
];
const datatypes = [xsd.anyURI, xsd.integer, xsd.time, xsd.dateTime, `${base}/type`];

/** What is seen of a resource of a class with some values under some properties; else all that do not identify by themselves. */
function attack(
  { iri, impersonal }: ClassModel,
  values: readonly Quad['object'][],
  under: readonly PropertyModel[] = properties.filter(
    (each) =>
      impersonal.includes(each.iri) || (each.identifying !== 'direct' && each.precision === undefined),
  ),
): readonly Quad[] {
  const name = `${record}/attacked/1`;
  return view.quadsOf(name, [
    say(name, rdf.type, namedNode(iri)),
    ...under.flatMap((property) => values.map((value) => say(name, property.iri, value))),
  ]);
}

const literals = [
  ...secrets.map((text) => literal(text)),
  ...datatypes.map((type) => literal('Featherstonehaugh', namedNode(type))),
  literal('Featherstonehaugh', 'en'),
];

describe('an attacker who reads the de-identified level', () => {
  it('finds no name, number or day in any text of any class', () => {
    const told = new Set<string>();
    for (const kind of kinds)
      for (const { object, predicate } of [...attack(kind, literals), ...attack(kind, literals, properties)])
        if (secrets.some((secret) => object.value.includes(secret))) told.add(predicate.value);
    expect([...told]).toEqual([]);
  });

  it('finds a row for each text that is withheld, so that counts are right', () => {
    for (const kind of kinds) {
      const seen = attack(kind, [literal('Featherstonehaugh')]);
      const rows = new Set(seen.map(({ predicate }) => predicate.value));
      for (const { iri: property, identifying, kind: what } of properties)
        if (what === 'datatype' && (identifying === 'none' || kind.impersonal.includes(property)))
          expect([kind.iri, property, rows.has(property)]).toEqual([kind.iri, property, true]);
    }
  });

  it('finds no name or number in the IRI of a code, whatever its system', () => {
    const systems = new Set([
      ...classes.flatMap(({ codeBase }) => codeBase ?? []),
      ...[...ontology.codes.values()].map(({ system }) => system),
      'http://purl.org/NET/mediatypes/',
      'http://purl.org/NET/mediatypes/image/',
    ]);
    const codes = [...systems].flatMap((system) =>
      secrets.map((secret) => namedNode(system + secret.replaceAll(' ', '.'))),
    );
    const links = properties.filter(({ kind }) => kind === 'object');
    const iris = new Set(codes.map(({ value }) => value));
    for (const kind of kinds) {
      const found = attack(kind, codes, links).filter(({ object }) => iris.has(object.value));
      expect(found.map(({ object }) => object.value)).toEqual([]);
    }
    expect(classes.filter(({ codeBase, form }) => codeBase !== undefined && form === undefined)).toEqual([]);
  });

  it('finds of a category only the values that the ontology calls common', () => {
    const shown = new Set(classes.flatMap(({ shown: { unit } }) => unit));
    const categories = properties.filter(({ iri, common }) => common && !shown.has(iri));
    expect(categories.length).toBeGreaterThan(5);
    for (const property of categories) {
      const { iri, common = [] } = property;
      const of = (text: string): string[] =>
        attack(any, [literal(text)], [property])
          .filter(({ predicate }) => predicate.value === iri)
          .map(({ object }) => object.value);
      expect(of('Tokelauan')).toEqual(['other']);
      expect(of(common[0]?.toLowerCase() ?? '')).toEqual([common[0]]);
    }
  });
});

describe('the days of a record', () => {
  const dated = properties.filter(
    ({ identifying, precision }) => identifying === 'date' && precision === undefined,
  );
  /** What New York writes behind a time, as the law has been since 2007. */
  const offsetOf = (day: Date): string => {
    const sunday = (month: number, nth: number): number => {
      const first = new Date(Date.UTC(day.getUTCFullYear(), month, 1)).getUTCDay();
      return Date.UTC(day.getUTCFullYear(), month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
    };
    return day.getTime() >= sunday(2, 2) && day.getTime() < sunday(10, 1) ? '-04:00' : '-05:00';
  };
  const days = Array.from({ length: 200 }, (_, at) => new Date(Date.UTC(2012, 0, 5 + at * 11)));
  const seenAs = (written: readonly string[]): string[] =>
    attack(
      any,
      written.map((text) => literal(text, namedNode(xsd.dateTime))),
      dated.slice(0, 1),
    )
      .filter(({ predicate }) => predicate.value === dated[0]?.iri)
      .map(({ object }) => object.value);
  /** How many of all shifts the offsets of some dates allow, also if only their hours in UTC are known. */
  const possibleShifts = (shown: readonly string[], localHour: number): number =>
    Array.from({ length: 365 }, (_, at) => at + 1).filter((shift) =>
      shown.every((text) => {
        const was = new Date(Date.parse(text.slice(0, 10)) + shift * 86_400_000);
        const [, hour] = /T(\d\d).*Z$/.exec(text) ?? [];
        const told = /[+-]\d\d:\d\d$/.exec(text.slice(10))?.[0];
        const offset = told ?? (hour === undefined ? undefined : `-0${Number(hour) - localHour}:00`);
        return offset === undefined || offset === offsetOf(was);
      }),
    ).length;

  it('cannot be told from offsets, or from hours in UTC at which people are seen', () => {
    const day = (date: Date): string => date.toISOString().slice(0, 10);
    const local = days.map((date) => `${day(date)}T08:30:00${offsetOf(date)}`);
    const utc = days.map((date) => `${day(date)}T${offsetOf(date) === '-04:00' ? '12' : '13'}:30:00Z`);
    // The attack works on dates as they were written.
    for (const written of [local, utc]) {
      expect(possibleShifts(written, 8)).toBeLessThan(3);
      expect(seenAs(written)).toHaveLength(200);
      expect(possibleShifts(seenAs(written), 8)).toBe(365);
    }
  });

  it('cannot be told from gaps between one event and itself, written in other ways', () => {
    const clocks = ['', 'T22:30', 'T22:30:15', 'T22:30:00-05:00', 'T22:30:00Z', 'T00:00:00+13:45'];
    const seen = new Set(clocks.map((clock) => seenAs([`2012-03-11${clock}`])[0]));
    expect(seen.size).toBe(1);
  });

  it('have no time of day under any property', () => {
    const seen = attack(any, [literal('2012-03-11T13:05:12.250-05:00', namedNode(xsd.dateTime))]);
    expect(dated.length).toBeGreaterThan(2);
    for (const { iri } of dated)
      expect(seen.find(({ predicate }) => predicate.value === iri)?.object.value).toMatch(
        /^\d{4}-\d\d-\d\d$/,
      );
    expect(seen.filter(({ object }) => object.value.includes('13:05'))).toEqual([]);
  });
});
