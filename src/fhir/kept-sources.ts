import { openDocumentStore } from '../store/documents/document-files.js';
import { writeJson } from './endpoint/reading/write-json.js';
import type { Ontology } from '../model/ontology/model.js';
import { instants } from '../model/query/partial-date.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { dcterms, mediaTypes, prov, rdf, rdfs, sp } from '../rdf/vocabulary.js';
import { contentKeyOf } from '../records/documents/content-key.js';
import { recordIri, statementIri, statementPathOf, type StatementPath } from '../records/resource-paths.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Attachments } from './attachments.js';
import type { MappedBatch } from './batch-resource.js';
import { lastUpdated, resourceIn, type FhirResource } from './fhir-resources.js';
import type { ResourceName } from './resource-names.js';
import type { Gone } from './gone-statements.js';
import type { MadeStatement } from './statement-graphs.js';

const MEDIA_TYPE = 'application/fhir+json';

/** The dependencies of kept sources. */
export interface KeptSourcesOptions {
  readonly ontology: Ontology;
  readonly primary: PrimaryStore;
  readonly base: string;
  /** Whether to keep resources; if not, earlier kept copies of the same resources are removed. */
  readonly keepSource?: boolean | undefined;
}

/** Thrown if the ontology has no place for sources. */
export class NoPlaceForSources extends Error {
  constructor() {
    super(
      'The ontology has no documents of records (sp:Document) or does not declare prov:wasDerivedFrom; add both, or load without --keep-source.',
    );
    this.name = 'NoPlaceForSources';
  }
}

/**
 * The FHIR resources behind statements, each as a document of its record: the JSON as read, apart from white space,
 * under a name made of type and id, so that a later version replaces an earlier one.
 * @throws NoPlaceForSources if they are to be kept but the ontology has no place for them
 */
export class KeptSources {
  readonly #path: StatementPath | undefined;

  constructor(private readonly options: KeptSourcesOptions) {
    const { ontology, keepSource } = options;
    const document = ontology.classes.get(sp.Document);
    this.#path = document && statementPathOf(document);
    if (keepSource && (!this.#path?.item || !ontology.properties.has(prov.wasDerivedFrom)))
      throw new NoPlaceForSources();
  }

  /**
   * Returns the graphs of statements and, if sources are kept, of their resources, to which each statement then links
   * (PROV-O §3.1).
   * @param attachments receives the bytes of sources
   */
  graphs(
    recordId: string,
    statements: readonly MadeStatement[],
    { resources }: Pick<MappedBatch, 'resources'>,
    attachments: Attachments,
  ): NamedGraph[] {
    if (!this.options.keepSource) return statements.map(({ graph }) => graph);
    const sources = new Map<string, NamedGraph>();
    const derived = statements.map(({ graph, resource: iri }) => {
      const resource = resources.get(iri)?.resource;
      const source = sources.get(iri) ?? (resource && this.#document(recordId, resource, attachments));
      if (!source) return graph;
      sources.set(iri, source);
      const link = quad(namedNode(graph.name), namedNode(prov.wasDerivedFrom), namedNode(source.name));
      return { name: graph.name, quads: [...graph.quads, link] };
    });
    return [...derived, ...sources.values()];
  }

  /**
   * Returns the sources to remove: of resources that no longer give a statement, or all if sources are not kept. The
   * source of an older statement stays with it if its replacement is not stored.
   */
  gone(
    { resources, recordOf }: Pick<MappedBatch, 'resources' | 'recordOf'>,
    made: readonly MadeStatement[],
    stored: readonly MadeStatement[],
  ): Gone[] {
    const giving = new Set(this.options.keepSource ? made.map(({ resource }) => resource) : []);
    const names = new Set(stored.map(({ graph }) => graph.name));
    const standing = made.map(({ graph }) => graph.name).filter((name) => !names.has(name));
    const needed = new Set(standing.map((name) => this.#sourceOf(name)));
    return [...resources.values()].flatMap(({ resource, patient, tally }) => {
      const recordId = patient === undefined ? undefined : recordOf(patient, resource.iri);
      if (recordId === undefined || giving.has(resource.iri)) return [];
      const name = this.nameOf(recordId, resource);
      return name !== undefined && !needed.has(name) && this.options.primary.has(name)
        ? [{ name, recordId, resource, tally }]
        : [];
    });
  }

  /** Returns a kept resource of a record; undefined if it is not kept. */
  async read(recordId: string, resource: ResourceName): Promise<FhirResource | undefined> {
    const { primary } = this.options;
    const name = this.nameOf(recordId, resource);
    const quads = name === undefined ? undefined : primary.graph(name);
    const key = quads && name !== undefined ? contentKeyOf(quads, namedNode(name)) : undefined;
    if (!key) return undefined;
    const bytes = await openDocumentStore(primary.directory).read(key);
    const found = resourceIn(JSON.parse(bytes.toString('utf8')), 'the copy that was kept');
    return found?.type === resource.type && found.id === resource.id ? found : undefined;
  }

  /** Returns the document that a stored statement was derived from. */
  #sourceOf(statement: string): string | undefined {
    const quads = this.options.primary.graph(statement) ?? [];
    return quads.find(({ predicate }) => predicate.value === prov.wasDerivedFrom)?.object.value;
  }

  /** Makes the document of a resource, whose bytes become an attachment. */
  #document(recordId: string, resource: FhirResource, attachments: Attachments): NamedGraph | undefined {
    const name = this.nameOf(recordId, resource);
    if (name === undefined) return undefined;
    const bytes = Buffer.from(`${writeJson(resource.value)}\n`);
    const stored = this.options.primary.graph(name) ?? [];
    const isSame = contentKeyOf(stored, namedNode(name))?.sha256 === hexDigest(bytes);
    const date = (isSame && dateOf(stored, name)) || changedAt(resource) || today();
    const fileName = `fhir-r4-${resource.type}-${resource.id}.json`;
    // A file with the same bytes is already there: loading again writes nothing.
    if (!isSame) attachments.put(recordId, fileName, bytes);
    const format = namedNode(mediaTypes + MEDIA_TYPE);
    const say = (property: string, value: Term, subject: Term = namedNode(name)): Quad =>
      quad(subject, namedNode(property), value);
    return {
      name,
      quads: [
        say(rdf.type, namedNode(sp.Document)),
        say(sp.belongsTo, namedNode(recordIri(this.options.base, recordId))),
        say(dcterms.title, literal(`${resource.type}, as it came in FHIR R4`)),
        say(dcterms.date, literal(date)),
        say(sp.fileName, literal(fileName)),
        say(dcterms.format, format),
        say(rdf.type, namedNode(dcterms.MediaTypeOrExtent), format),
        say(rdfs.label, literal(MEDIA_TYPE), format),
      ],
    };
  }

  /**
   * Returns the name of a resource's document in a record; undefined if the ontology has no documents. Ids of resources may
   * be as long as those of documents, so it holds type and id as a digest.
   */
  nameOf(recordId: string, { type, id }: ResourceName): string | undefined {
    const digest = hexDigest(`${type}/${id}`).slice(0, 32);
    return this.#path && statementIri(recordIri(this.options.base, recordId), this.#path, `fhir-${digest}`);
  }
}

function dateOf(quads: readonly Quad[], name: string): string | undefined {
  return quads.find(({ subject, predicate }) => subject.value === name && predicate.value === dcterms.date)
    ?.object.value;
}

/** Returns when the source last changed the resource. */
function changedAt(resource: FhirResource): string | undefined {
  const text = lastUpdated(resource);
  return text !== undefined && instants(text) ? text : undefined;
}

const today = (): string => new Date().toISOString().slice(0, 10);
