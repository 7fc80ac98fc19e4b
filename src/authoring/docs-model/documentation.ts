import type { CallModel, Ontology, PropertyModel } from '../../model/ontology/model.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import type { QueryTemplate } from '../../model/query/template.js';
import { termsOf } from '../../model/query/tokenizer.js';
import { addTo } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { argumentsOf, type Argument } from '../client-source/call-arguments.js';
import { exchangeOf, type Exchange } from '../client-source/call-answers.js';
import { contextName } from '../../model/jsonld-context.js';
import { documentClasses, type ClassDoc } from './class-doc.js';
import { placeOfCall, placesOf, type PageAddress } from './page-places.js';

export interface CallDoc {
  readonly call: CallModel;
  readonly place: PageAddress;
  readonly arguments: readonly Argument[];
  readonly exchange: Exchange;
  readonly related: readonly CallModel[];
}

export interface PropertyDoc {
  readonly model: PropertyModel;
  readonly name: string;
  readonly jsonName: string | undefined;
  readonly place: PageAddress;
  readonly classes: readonly string[];
}

export interface Documentation {
  readonly ontology: Ontology;
  readonly calls: readonly CallDoc[];
  /** Classes of the record model, without code sets. */
  readonly classes: readonly ClassDoc[];
  readonly codeSets: readonly ClassDoc[];
  readonly properties: readonly PropertyDoc[];
  /** Where classes and properties are documented, by IRI. */
  readonly places: ReadonlyMap<string, PageAddress>;
}

export interface DocumentationSource {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
}

/** Derives the documentation of an ontology and its queries. Does not depend on stored data. */
export function documentationOf({ ontology, quads, queries }: DocumentationSource): Documentation {
  const places = placesOf(ontology);
  const classes = documentClasses({ ontology, quads, places, mentions: mentionsIn(queries) });
  return {
    ontology,
    places,
    calls: ontology.calls.map((call) => ({
      call,
      place: placeOfCall(call),
      arguments: argumentsOf(call, ontology),
      exchange: exchangeOf(call),
      related: ontology.calls.filter(({ target, iri }) => target === call.target && iri !== call.iri),
    })),
    classes: classes.filter(({ codes }) => codes === undefined),
    codeSets: classes.filter(({ codes }) => codes !== undefined),
    properties: [...ontology.properties.values()]
      .map((model): PropertyDoc => ({
        model,
        name: shortNameIn(ontology, model.iri),
        jsonName: contextName(ontology, model.iri),
        place: places.get(model.iri) ?? { page: '' },
        classes: [...ontology.classes.values()]
          .filter(({ iri, rules }) => rules.get(model.iri)?.from === iri)
          .map(({ iri }) => iri),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** Finds the IRIs that queries name, with the client method names of their calls. */
function mentionsIn(queries: ReadonlyMap<string, QueryTemplate>): Map<string, string[]> {
  const mentions = new Map<string, string[]>();
  for (const [name, { text }] of queries)
    for (const iri of new Set(termsOf(text).map((term) => term.iri))) addTo(mentions, iri, name);
  return mentions;
}
