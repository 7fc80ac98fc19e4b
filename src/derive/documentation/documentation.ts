import type { CallModel, Ontology, PropertyModel } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import type { QueryTemplate } from '../../query/template.js';
import { termsOf } from '../../query/check/terms-of.js';
import { addTo } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { argumentsOf, type Argument } from '../call-arguments.js';
import { exchangeOf, type Exchange } from '../call-answers.js';
import { contextName } from '../jsonld-context.js';
import { documentClasses, type ClassDoc } from './class-doc.js';
import { placeOfCall, placesOf, type PageAddress } from './page-places.js';

/** A call with everything that a client has to know of it. */
export interface CallDoc {
  readonly call: CallModel;
  readonly place: PageAddress;
  readonly arguments: readonly Argument[];
  readonly exchange: Exchange;
  /** Other calls on the same class. */
  readonly related: readonly CallModel[];
}

/** A property with the classes that have rules for it. */
export interface PropertyDoc {
  readonly model: PropertyModel;
  /** `sp:drugName` */
  readonly name: string;
  /** Its name in JSON-LD, where it has one. */
  readonly jsonName: string | undefined;
  readonly place: PageAddress;
  /** Classes that state a rule for it themselves. */
  readonly classes: readonly string[];
}

/** Everything that the ontology says, put together for people. */
export interface Documentation {
  readonly ontology: Ontology;
  readonly calls: readonly CallDoc[];
  /** Classes of the record model; code sets are apart. */
  readonly classes: readonly ClassDoc[];
  readonly codeSets: readonly ClassDoc[];
  readonly properties: readonly PropertyDoc[];
  /** Where classes and properties are documented, by IRI. */
  readonly places: ReadonlyMap<string, PageAddress>;
}

/** What documentation is derived from. */
export interface DocumentationSource {
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
}

/** Derives the documentation of an ontology with its queries. Pure; nothing in it depends on what is stored. */
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
        name: shortName(model.iri),
        jsonName: contextName(model.iri),
        place: places.get(model.iri) ?? { page: '' },
        classes: [...ontology.classes.values()]
          .filter(({ iri, rules }) => rules.get(model.iri)?.from === iri)
          .map(({ iri }) => iri),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The IRIs that the queries name, each with the client method names of the calls that they answer. */
function mentionsIn(queries: ReadonlyMap<string, QueryTemplate>): Map<string, string[]> {
  const mentions = new Map<string, string[]>();
  for (const [name, { text }] of queries)
    for (const iri of new Set(termsOf(text).map((term) => term.iri))) addTo(mentions, iri, name);
  return mentions;
}
