import { describe, expect, it } from 'vitest';
import { namedNode } from '../../../src/rdf/terms.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { prefixes } from '../../../src/rdf/vocabulary.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { shapeValidator } from '../../../src/model/validate/shapes/shacl.js';
import { ontology } from '../../records/support.js';

const name = 'http://h/records/1/allergies/a';
const systems = {
  'spcode:UNII': 'http://fda.gov/UNII/',
  'spcode:SNOMED': 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  'spcode:RxNorm_Ingredient': 'http://purl.bioontology.org/ontology/RXNORM/',
  'spcode:LOINC': 'http://purl.bioontology.org/ontology/LNC/',
};

/** An allergy to what a property says with a code of a class. */
async function allergyTo(property: string, codeClass: keyof typeof systems) {
  const { 'spcode:SNOMED': snomed, [codeClass]: system } = systems;
  const titles: Record<string, string> = { '414285001': 'Food allergy', '24484000': 'Severe' };
  const coded = (code: string, of: string, kind: string): string =>
    `[ a sp:CodedValue ; dcterms:title "it" ; sp:code <${of}${code}> ] .
     <${of}${code}> a sp:Code , ${kind} ; dcterms:title "${titles[code] ?? 'it'}" ; dcterms:identifier "${code}" ; sp:system "${of}" .\n`;
  return parseRdf(
    `@prefix sp: <${prefixes.sp}> . @prefix spcode: <${prefixes.spcode}> . @prefix dcterms: <${prefixes.dcterms}> .
     <${name}> a sp:Allergy ; sp:belongsTo <http://h/records/1> ; sp:startDate "2001" .
     <${name}> sp:category ${coded('414285001', snomed, 'spcode:AllergyCategory')}
     <${name}> sp:severity ${coded('24484000', snomed, 'spcode:AllergySeverity')}
     <${name}> sp:allergicReaction ${coded('39579001', snomed, 'spcode:SNOMED')}
     <${name}> ${property} ${coded('1', system, codeClass)}`,
    { format: 'turtle' },
  );
}

describe('a set of codes that has sets beneath it', () => {
  it.each<[string, keyof typeof systems, readonly string[]]>([
    ['sp:otherAllergen', 'spcode:UNII', []],
    ['sp:otherAllergen', 'spcode:SNOMED', []],
    [
      'sp:otherAllergen',
      'spcode:RxNorm_Ingredient',
      ['The code in sp:otherAllergen of sp:Allergy must be typed cg:OtherAllergenCode.'],
    ],
    [
      'sp:otherAllergen',
      'spcode:LOINC',
      ['The code in sp:otherAllergen of sp:Allergy must be typed cg:OtherAllergenCode.'],
    ],
    [
      'sp:drugAllergen',
      'spcode:SNOMED',
      ['The code in sp:drugAllergen of sp:Allergy must be typed spcode:RxNorm_Ingredient.'],
    ],
  ])('takes the codes of these and no others: %s with %s', async (property, codeClass, messages) => {
    const quads = await allergyTo(property, codeClass);
    const node = namedNode(name);
    expect(validateResource(ontology, node, quads).map(({ message }) => message)).toEqual(messages);
    expect(shapeValidator(ontology)(quads)).toHaveLength(messages.length);
  });
});
