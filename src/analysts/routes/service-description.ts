import { answeredFormats, formats, typeAliases } from '../../rdf/formats.js';
import { blankNode, integer, namedNode, say, type Quad } from '../../rdf/terms.js';
import type { SparqlParts } from './sparql-routes.js';
import { rdf, sd, servicePrefixes, voidTerms } from '../../rdf/vocabulary.js';
import { writeRdf } from '../../rdf/write.js';
import { Problem } from '../../model/problem.js';
import type { Answer } from '../../http/answer.js';
import type { RequestContext } from '../../http/request-context.js';
import { preferredType } from '../../http/respond/negotiate.js';

const resultFormats = [
  'SPARQL_Results_JSON',
  'SPARQL_Results_XML',
  'SPARQL_Results_CSV',
  'SPARQL_Results_TSV',
  'Turtle',
  'N-Triples',
  'RDF_XML',
  'JSON-LD',
  'N-Quads',
  'TriG',
].map((name) => servicePrefixes.formats + name);

/** Describes the endpoint (SPARQL 1.1 Service Description), nothing of the data. */
export function describedService(base: string): Quad[] {
  const service = namedNode(`${base}/sparql`);
  const dataset = blankNode('dataset');
  const graph = blankNode('graph');
  return [
    say(service, rdf.type, namedNode(sd.Service)),
    say(service, sd.endpoint, service),
    say(service, sd.supportedLanguage, namedNode(sd.SPARQL11Query)),
    ...resultFormats.map((iri) => say(service, sd.resultFormat, namedNode(iri))),
    say(service, sd.defaultDataset, dataset),
    say(dataset, rdf.type, namedNode(sd.Dataset)),
    say(dataset, sd.defaultGraph, graph),
    say(graph, rdf.type, namedNode(sd.Graph)),
  ];
}

export interface Counts {
  readonly triples: number;
  readonly subjects: number;
  readonly classes: readonly (readonly [iri: string, instances: number])[];
  readonly properties: readonly (readonly [iri: string, triples: number])[];
}

/** Describes a level in numbers (VoID, W3C Interest Group Note). */
export function describedDataset(base: string, { triples, subjects, classes, properties }: Counts): Quad[] {
  const dataset = namedNode(`${base}/.well-known/void#dataset`);
  return [
    say(dataset, rdf.type, namedNode(voidTerms.Dataset)),
    say(dataset, voidTerms.sparqlEndpoint, namedNode(`${base}/sparql`)),
    say(dataset, voidTerms.triples, integer(triples)),
    say(dataset, voidTerms.distinctSubjects, integer(subjects)),
    say(dataset, voidTerms.classes, integer(classes.length)),
    say(dataset, voidTerms.properties, integer(properties.length)),
    ...classes.flatMap(([iri, instances], index) => {
      const part = blankNode(`class${index}`);
      return [
        say(dataset, voidTerms.classPartition, part),
        say(part, voidTerms.class, namedNode(iri)),
        say(part, voidTerms.entities, integer(instances)),
      ];
    }),
    ...properties.flatMap(([iri, statements], index) => {
      const part = blankNode(`property${index}`);
      return [
        say(dataset, voidTerms.propertyPartition, part),
        say(part, voidTerms.property, namedNode(iri)),
        say(part, voidTerms.triples, integer(statements)),
      ];
    }),
  ];
}

/** Answers with a graph in the accepted format, Turtle by default. @throws Problem not-acceptable */
export async function graphAnswer(
  { ontology }: Pick<SparqlParts, 'ontology'>,
  { context }: RequestContext,
  quads: readonly Quad[],
): Promise<Answer> {
  const types = new Map(answeredFormats.map((format) => [formats[format].mediaType, format]));
  const offered = [
    formats.turtle.mediaType,
    ...[...types.keys()].filter((type) => type !== formats.turtle.mediaType),
  ];
  const format = types.get(preferredType(context.get('Accept'), offered, typeAliases) ?? '');
  if (!format) throw new Problem('not-acceptable', `This is answered with ${offered.join(', ')}.`);
  const body = await writeRdf(quads, format, { prefixes: { ...ontology.prefixes, ...servicePrefixes } });
  return { kind: 'plain', mediaType: formats[format].mediaType, headers: { Vary: 'Accept' }, body };
}
