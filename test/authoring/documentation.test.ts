import { describe, expect, it } from 'vitest';
import { documentationOf } from '../../src/authoring/docs-model/documentation.js';
import { placesOf } from '../../src/authoring/docs-model/page-places.js';
import type { Ontology } from '../../src/model/ontology/model.js';
import { prefixes, sp, vcard } from '../../src/rdf/vocabulary.js';
import { shippedModel } from './shipped-model.js';

const documentation = documentationOf(await shippedModel());
const { ontology } = documentation;

const classDoc = (iri: string) =>
  [...documentation.classes, ...documentation.codeSets].find(({ model }) => model.iri === iri);
const callDoc = (name: string) => documentation.calls.find(({ call }) => call.name === name);

describe('the documentation of the shipped ontology', () => {
  it('documents every call, class and property once, each at a place of its own', () => {
    const { calls, classes, codeSets, properties } = documentation;
    expect(calls).toHaveLength(ontology.calls.length);
    expect(classes.length + codeSets.length).toBe(ontology.classes.size);
    expect(properties).toHaveLength(ontology.properties.size);
    const places = [...calls, ...classes, ...codeSets, ...properties].map(({ place }) =>
      `${place.page}#${place.anchor ?? ''}`.toLowerCase(),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  it.each([
    [sp.Medication, sp.drugName, '1'],
    [sp.Medication, sp.endDate, '0–1'],
    [sp.Medication, sp.fulfillment, '0 or more'],
    [sp.ImagingStudy, sp.series, '1 or more'],
  ])('says of %s how many %s it has: %s', (iri, property, cardinality) => {
    const rule = classDoc(iri)?.rules.find((each) => each.rule.property === property);
    expect(rule?.cardinality).toBe(cardinality);
  });

  it('tells where a class is used: by calls, by other classes, by queries', () => {
    const fulfillment = classDoc(sp.Fulfillment);
    expect(fulfillment?.calls.map(({ name }) => name)).toEqual(['get_fulfillment', 'get_fulfillments']);
    expect(fulfillment?.usedBy).toEqual([{ iri: sp.Medication, property: sp.fulfillment }]);
    expect(fulfillment?.queries).toContain('get_fulfillments');
    expect(classDoc(`${prefixes.spcode}RxNorm_Semantic`)?.usedBy).toContainEqual({
      iri: sp.Medication,
      property: sp.drugName,
    });
  });

  it('tells closed code sets, with their members, from open ones', () => {
    const closed = classDoc(`${prefixes.spcode}LabResultStatus`)?.codes;
    expect(closed).toMatchObject({ closed: true });
    expect(closed?.members.map(({ identifier }) => identifier)).toHaveLength(3);
    expect(classDoc(`${prefixes.spcode}LOINC`)?.codes).toMatchObject({ closed: false });
  });

  it('tells inherited rules from those that a class states itself', () => {
    const rules = classDoc(sp.Medication)?.rules ?? [];
    const inherited = rules.filter((rule) => rule.inherited).map(({ name }) => name);
    expect(inherited).toEqual(['sp:belongsTo']);
  });

  it('explains filters and parameters in the words of the ontology', () => {
    const found = callDoc('get_medications')?.arguments;
    expect(found?.map(({ name, role }) => `${role} ${name}`)).toEqual([
      'path record_id',
      'parameter descendants',
      'parameter limit',
      'parameter offset',
      'parameter _format',
      'parameter at',
      'filter date_from',
      'filter date_from_excluding',
      'filter date_from_including',
      'filter date_to',
      'filter date_to_excluding',
      'filter date_to_including',
      'filter rxnorm',
    ]);
    expect(found?.every(({ comment }) => comment !== '')).toBe(true);
  });

  it.each([
    // call, answers, bodies, some refusals, refusals that cannot be
    ['get_medications', 'application/rdf+xml', 0, ['forbidden', 'not-acceptable'], ['too-large', 'conflict']],
    ['get_ontology', 'application/rdf+xml', 0, ['unauthorized'], ['forbidden', 'not-found']],
    ['get_container_manifest', 'application/json', 0, ['not-acceptable'], ['invalid-parameter']],
    ['post_clinical_note', 'application/rdf+xml', 3, ['conflict', 'unprocessable'], ['precondition-failed']],
    ['put_scratchpad_data', '*/*', 1, ['too-large', 'precondition-failed'], ['unprocessable']],
    ['get_document', '*/*', 0, ['range-not-satisfiable', 'damaged-document'], ['too-large']],
  ] as const)('derives what %s takes and answers', (name, first, bodies, some, never) => {
    const exchange = callDoc(name)?.exchange;
    expect(exchange?.answers[0]).toBe(first);
    expect(exchange?.bodies).toHaveLength(bodies);
    expect(exchange?.problems).toEqual(expect.arrayContaining([...some]));
    for (const kind of never) expect(exchange?.problems).not.toContain(kind);
  });
});

describe('places of terms', () => {
  const ontologyOf = (...iris: string[]) =>
    ({
      classes: new Map(iris.map((iri) => [iri, { iri, kind: 'component' }])),
      properties: new Map(),
      prefixes,
    }) as unknown as Ontology;

  it('give two classes of one name two pages, also where capitals do not count', () => {
    const places = placesOf(ontologyOf('urn:a#Note', 'urn:b#Note', 'urn:c#note'));
    expect([...places.values()].map(({ page }) => page)).toEqual([
      'classes/Note',
      'classes/Note-2',
      'classes/note-3',
    ]);
  });

  it('are readable for known prefixes and safe for everything else', () => {
    const places = placesOf(ontologyOf(sp.Medication, vcard.Name, 'urn:x/..', 'urn:x/%2e%2e%2f<a>'));
    expect([...places.values()].map(({ page }) => page)).toEqual([
      'classes/Medication',
      'classes/v-Name',
      'classes/term',
      'classes/2e-2e-2f-a',
    ]);
  });
});
