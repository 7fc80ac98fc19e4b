import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextName, jsonLdContext, usedContext } from '../../src/model/jsonld-context.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { api, dcterms, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';

const { ontology } = await loadOntology(resolve(import.meta.dirname, '../../ontology'));
const context = jsonLdContext(ontology);

describe('the JSON-LD context of the ontology', () => {
  it.each([
    [sp.drugName, 'drugName'],
    [vcard['family-name'], 'v__family_name'],
    [dcterms.title, 'dcterms__title'],
    [api.nextPageURL, 'api__nextPageURL'],
    [rdf.first, 'rdf__first'],
    ['urn:x', undefined],
    [`${sp.code}/x`, undefined],
  ])('names %s %s', (iri, name) => {
    expect(contextName(ontology, iri)).toBe(name);
  });

  it('has a name for every class and property, and no name twice', () => {
    const named = new Set(
      Object.values(context).map((definition) =>
        typeof definition === 'string' ? definition : definition['@id'],
      ),
    );
    const missing = [...ontology.classes.keys(), ...ontology.properties.keys()].filter(
      (iri) => !named.has(iri),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['Medication', sp.Medication],
    ['belongsTo', { '@id': sp.belongsTo, '@type': '@id' }],
    ['fulfillment', { '@id': sp.fulfillment, '@type': '@id', '@container': '@set' }],
    ['drugName', { '@id': sp.drugName, '@type': '@id' }],
    ['dcterms__title', { '@id': dcterms.title }],
    ['v__adr', { '@id': vcard.adr, '@type': '@id', '@container': '@set' }],
    ['api__ResponseSummary', api.ResponseSummary],
    ['api__totalResultCount', { '@id': api.totalResultCount }],
    ['api__resultsReturned', { '@id': api.resultsReturned }],
    ['api__processingTimeMs', { '@id': api.processingTimeMs }],
    ['api__nextPageURL', { '@id': api.nextPageURL }],
    ['api__resultOrder', { '@id': api.resultOrder, '@type': '@id', '@container': '@list' }],
    ['rdf__first', { '@id': rdf.first, '@type': '@id', '@container': '@set' }],
    ['rdf__rest', { '@id': rdf.rest, '@type': '@id', '@container': '@set' }],
  ])('defines %s', (name, definition) => {
    expect(context[name]).toEqual(definition);
  });

  it('gives an answer the names that it uses and no others', () => {
    const node = blankNode('a');
    const quads = [
      quad(node, namedNode(rdf.type), namedNode(sp.Medication)),
      quad(node, namedNode(dcterms.title), literal('x')),
    ];
    expect(Object.keys(usedContext(context, quads))).toEqual(['Medication', 'dcterms__title']);
  });
});
