import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { linkRules, type Ontology } from '../../src/model/ontology/model.js';
import { readOntology } from '../../src/model/ontology/read.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { namedNode, type Quad } from '../../src/rdf/terms.js';
import { codeSystems, prefixes, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';
import { loadPatient } from '../../src/records/loading/load-patient.js';
import { memoryFiles } from '../../src/records/documents/memory-files.js';
import { readSeed } from '../../src/records/seed.js';
import { habitKey, habitsOf } from '../../bench/synth/seed-habits.mjs';
import { partInput } from '../../src/records/loading/input-graphs.js';
import {
  patientMaker,
  type Habits,
  type SynthOptions,
  type SynthPatient,
} from '../../bench/synth/patient-maker.mjs';
import { validateResource } from '../../src/model/validate/resource.js';
import { patientQuads, patientTurtle } from '../../bench/synth/write-patients.mjs';

const BASE = 'http://localhost:7000';
const root = resolve(import.meta.dirname, '..', '..');
let ontology: Ontology;
let ontologyQuads: Quad[];
let habits: Habits;
beforeAll(async () => {
  ({ ontology, quads: ontologyQuads } = await loadOntology(join(root, 'ontology')));
  const { graphs } = await readSeed({ dir: join(root, 'seed'), ontology, base: BASE, files: memoryFiles() });
  habits = habitsOf(graphs.map(({ quads }) => quads));
});

function patients(number: number, options: Partial<SynthOptions> = {}): SynthPatient[] {
  const make = patientMaker({ ontology, seed: 's', size: 'small', base: BASE, first: 3_000_001, ...options });
  return Array.from({ length: number }, (_, index) => make(index));
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? NaN;
const sizesOf = (some: readonly SynthPatient[]): number[] =>
  some.map(({ quads }) => quads).sort((a, b) => a - b);
const classOf = ({ name, quads }: SynthPatient['graphs'][number]): string | undefined =>
  quads.find(({ subject, predicate }) => subject.value === name && predicate.value === rdf.type)?.object
    .value;

describe('invented patients', () => {
  it('are the same for the same seed, whichever was asked for before, and others for another', () => {
    const text = (options: Partial<SynthOptions>) => patients(3, options).map(patientQuads);
    expect(text({})).toEqual(text({}));
    expect(text({})[0]).not.toBe(text({ seed: 't' })[0]);
    const make = patientMaker({ ontology, seed: 's', size: 'small', base: BASE, first: 3_000_001 });
    expect(patientQuads(make(2))).toBe(text({})[2]);
  });

  it.each(['small', 'real'] as const)(
    'of the size %s are valid when they are loaded, without a warning',
    async (size) => {
      for (const patient of patients(12, { size, seed: `valid ${size}`, habits })) {
        const { recordId, graphs, quads } = patient;
        const baseIRI = `${BASE}/records/${recordId}/`;
        const parsed = await parseRdf(Buffer.from(await patientTurtle(patient, BASE)), {
          format: 'turtle',
          baseIRI,
        });
        const [own] = partInput(parsed, BASE).records;
        const loaded = loadPatient({
          inputGraphs: own?.inputGraphs ?? [],
          fallbackId: recordId,
          ontology,
          base: BASE,
        });
        expect(loaded.warnings).toEqual([]);
        expect(loaded.recordId).toBe(recordId);
        expect(loaded.graphs.map(({ name }) => name).sort()).toEqual(graphs.map(({ name }) => name).sort());
        expect(loaded.quads).toBe(quads);
      }
    },
  );

  it('keep to the data ranges of an ontology', async () => {
    const only = (property: string, filler: string): string =>
      `[ a owl:Restriction ; owl:onProperty ${property} ; owl:allValuesFrom ${filler} ]`;
    const bounded = (datatype: string, stated: string): string =>
      `[ a rdfs:Datatype ; owl:onDatatype xsd:${datatype} ; owl:withRestrictions ( ${stated} ) ]`;
    const more = await parseRdf(
      `@prefix rdfs: <${prefixes.rdfs}> . @prefix owl: <${prefixes.owl}> . @prefix xsd: <${prefixes.xsd}> .
      @prefix sp: <${prefixes.sp}> . @prefix v: <${prefixes.v}> . @prefix dcterms: <${prefixes.dcterms}> .
      sp:VitalSignSet rdfs:subClassOf
        ${only('sp:temperature', only('sp:value', bounded('decimal', '[ xsd:minInclusive 41.5 ] [ xsd:maxExclusive 42 ]')))} .
      sp:ValueAndUnit rdfs:subClassOf ${only('sp:value', bounded('decimal', '[ xsd:minInclusive 0 ]'))} .
      v:Address rdfs:subClassOf ${only('v:postal-code', bounded('string', '[ xsd:length 4 ]'))} .
      sp:Problem rdfs:subClassOf ${only('sp:startDate', bounded('date', '[ xsd:minInclusive "2021-01-01" ]'))} .
      sp:LabResult rdfs:subClassOf ${only('sp:notes', '[ a rdfs:Datatype ; owl:oneOf ( "mild" "severe" ) ]')} .`,
      { format: 'turtle' },
    );
    const bounding = readOntology([...ontologyQuads, ...more]);
    const made = patients(6, { ontology: bounding, size: 'real', habits });
    const violations = made.flatMap(({ graphs }) =>
      graphs.flatMap(({ name, quads }) => validateResource(bounding, namedNode(name), quads)),
    );
    expect(violations).toEqual([]);
    const values = made.flatMap(({ graphs }) => graphs.flatMap(({ quads }) => quads));
    const of = (property: string): string[] =>
      values.filter(({ predicate }) => predicate.value === property).map(({ object }) => object.value);
    expect(of(vcard['postal-code']).length).toBeGreaterThan(0);
    expect(of(vcard['postal-code']).every((code) => code.length === 4)).toBe(true);
    expect(of(sp.value)).toContainEqual(expect.stringMatching(/^41\.[5-9]/));
    expect(of(sp.notes)).toContain('mild');
  });

  it('have a statement of every class that the ontology places in a record', () => {
    const placed = [...ontology.classes.values()]
      .filter(
        ({ kind, basePath, insteadOf }) =>
          kind === 'statement' && insteadOf === undefined && basePath?.startsWith('/records/{record_id}/'),
      )
      .map(({ iri }) => iri);
    expect(placed).toHaveLength(19);
    const found = new Set(patients(3).flatMap(({ graphs }) => graphs.map(classOf)));
    expect([...found].sort()).toEqual([sp.MedicalRecord, ...placed].sort());
  });

  it('are described with the codes of known patients, as often as those have them, and measured alike', () => {
    const found = habitsOf(
      patients(200, { habits }).flatMap((patient) => patient.graphs.map(({ quads }) => quads)),
    );
    const count = ({ codes }: Habits, place: string, identifier: string): number => {
      const all = codes.get(place) ?? [];
      return all.filter((code) => code.identifier === identifier).length / all.length;
    };
    for (const [type, property, identifier] of [
      [sp.LabResult, sp.labName, '4548-4'],
      [sp.Problem, sp.problemName, '44054006'],
      [sp.Medication, sp.drugName, '314076'],
    ] as const) {
      const place = habitKey(type, property);
      const share = count(habits, place, identifier);
      expect(share).toBeGreaterThan(0);
      expect(count(found, place, identifier)).toBeGreaterThan(share / 4);
      expect(count(found, place, identifier)).toBeLessThan(share * 4);
    }
    const known = habits.measures.get(`${codeSystems['LOINC']}4548-4`);
    const hba1c = found.measures.get(`${codeSystems['LOINC']}4548-4`);
    expect(hba1c).toMatchObject({ unit: known?.unit, low: known?.low, high: known?.high });
    expect(hba1c?.from).toBeGreaterThanOrEqual(known?.from ?? NaN);
    expect(hba1c?.to).toBeLessThanOrEqual(known?.to ?? NaN);
    const unknown = [...found.codes.values()].flat().filter(({ title }) => title.startsWith('Invented'));
    expect(unknown.map(({ classes }) => classes)).toEqual([]);
  });

  it('link only to statements of their own record, of the class that the ontology asks for', () => {
    let links = 0;
    for (const { graphs } of patients(10)) {
      const classes = new Map(graphs.map((graph) => [graph.name, classOf(graph)]));
      for (const { name, quads } of graphs) {
        const model = ontology.classes.get(classes.get(name) ?? '');
        const rules = new Map(model ? linkRules(ontology, model).map((rule) => [rule.property, rule]) : []);
        for (const { predicate, object } of quads) {
          if (object.value.startsWith(BASE)) expect(classes.has(object.value)).toBe(true);
          const rule = rules.get(predicate.value);
          if (!rule) continue;
          links++;
          expect(rule.classes).toContain(classes.get(object.value));
        }
      }
    }
    expect(links).toBeGreaterThan(50);
  });

  it('have about 700 quads when they are small', () => {
    const sizes = sizesOf(patients(300));
    expect(quantile(sizes, 0.5)).toBeGreaterThan(660);
    expect(quantile(sizes, 0.5)).toBeLessThan(760);
    expect(sizes.at(-1)).toBeLessThan(1000);
  });

  it('have a median of 1,500 quads and 99 % below 12,000 when they are real', () => {
    const sizes = sizesOf(patients(1000, { size: 'real' }));
    expect(quantile(sizes, 0.5)).toBeGreaterThan(1400);
    expect(quantile(sizes, 0.5)).toBeLessThan(1650);
    expect(quantile(sizes, 0.99)).toBeGreaterThan(9_000);
    expect(quantile(sizes, 0.99)).toBeLessThan(15_500);
  });

  it('come in families of ten of one name, no name of which begins another', () => {
    const names = patients(1000, { demographicsOnly: true }).map(({ graphs }) => {
      const found = graphs
        .flatMap(({ quads }) => quads)
        .find(({ predicate }) => predicate.value === vcard['family-name']);
      return found?.object.value ?? '';
    });
    const families = new Set(names);
    expect(families.size).toBe(100);
    expect(names.filter((name) => name === names[0])).toHaveLength(10);
    expect(new Set([...families].map(({ length }) => length))).toEqual(new Set([8]));
  });
});
