import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkOntology } from '../../../src/model/check/check.js';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { LoadedOntology } from '../../../src/model/ontology/directory.js';
import { isA, linkRules } from '../../../src/model/ontology/model.js';
import { api, prefixes, sp } from '../../../src/rdf/vocabulary.js';

const folder = resolve(import.meta.dirname, '..', '..', '..', 'ontology');
let loaded: LoadedOntology;

beforeAll(async () => {
  loaded = await loadOntology(folder);
});

describe('the shipped ontology', () => {
  test('passes its own check without errors or warnings', () => {
    expect(checkOntology(loaded.ontology, loaded.quads).map(({ message }) => message)).toEqual([]);
  });

  test('has every call that it declares, with distinct methods and paths', () => {
    const { ontology, quads } = loaded;
    const declared = quads.filter(({ object }) => object.value === api.Call);
    expect(declared).not.toEqual([]);
    expect(ontology.calls.map(({ iri }) => iri).sort()).toEqual(
      declared.map(({ subject }) => subject.value).sort(),
    );
    const asked = ontology.calls.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('links medications and fulfillments, and nothing to the record', () => {
    const { ontology } = loaded;
    const links = (name: 'Medication' | 'Fulfillment' | 'Allergy'): string[] => {
      const model = ontology.classes.get(sp[name]);
      return model ? linkRules(ontology, model).map(({ property }) => property) : [];
    };
    expect(links('Medication')).toEqual([sp.fulfillment]);
    expect(links('Fulfillment')).toEqual([sp.medication]);
    expect(links('Allergy')).toEqual([]);
  });

  test('constrains drug names to RxNorm codes and heights to centimetres', () => {
    const { ontology } = loaded;
    const drugName = ontology.classes.get(sp.Medication)?.rules.get(sp.drugName);
    expect(drugName).toMatchObject({
      min: 1,
      max: 1,
      literal: false,
      classes: [sp.CodedValue],
      codeClass: `${prefixes.spcode}RxNorm_Semantic`,
    });
    const height = ontology.classes.get(sp.VitalSignSet)?.rules.get(sp.height);
    expect(height?.fixed).toEqual([{ property: sp.unit, value: 'cm' }]);
    const smoking = ontology.classes.get(sp.SocialHistory)?.rules.get(sp.smokingStatus);
    expect(smoking).toMatchObject({ classes: [sp.CodedValue], codeClass: `${prefixes.spcode}SmokingStatus` });
  });

  test('enumerates codes with title, system and identifier', () => {
    const { ontology } = loaded;
    const members = ontology.classes.get(`${prefixes.spcode}VitalSign`)?.members ?? [];
    expect(members).toHaveLength(11);
    for (const member of members) {
      const code = ontology.codes.get(member);
      expect(code?.title).not.toBe('');
      expect((code?.system ?? '') + (code?.identifier ?? '')).toBe(member);
    }
  });

  test('tells statements, containers, codes and components apart', () => {
    const { ontology } = loaded;
    const kind = (iri: string): string | undefined => ontology.classes.get(iri)?.kind;
    expect(kind(sp.Demographics)).toBe('statement');
    expect(kind(sp.User)).toBe('container');
    expect(kind(sp.MedicalRecord)).toBe('container');
    expect(kind(sp.Code)).toBe('code');
    expect(kind(sp.ValueAndUnit)).toBe('component');
    expect(isA(ontology, sp.ClinicalNote, sp.Document)).toBe(true);
    expect(isA(ontology, sp.Document, sp.ClinicalNote)).toBe(false);
  });

  test('knows which properties are dates', () => {
    const dates = [...loaded.ontology.properties.values()].filter(({ valueType }) => valueType === 'date');
    expect(dates.map(({ iri }) => iri)).toEqual(
      expect.arrayContaining([prefixes.dcterms + 'date', sp.startDate, sp.endDate, prefixes.v + 'bday']),
    );
  });
});
