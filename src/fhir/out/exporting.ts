import type { JsonObject } from '../../rdf/json-object.js';
import { INNER_MARK } from '../../rdf/skolem-iris.js';
import { literal, namedNode, say } from '../../rdf/terms.js';
import { mapping as map } from '../../rdf/vocabulary.js';
import { writeTriples } from '../../rdf/ntriples.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { QueryTemplate } from '../../model/query/template.js';
import { recordIri, recordsStart, resourceOf } from '../../records/resource-paths.js';
import { inGraph } from '../../store/relative-text.js';
import { WorkingSet } from '../../store/working-set.js';
import { tablesText, type Mapping } from '../mapping.js';
import type { ResourceName } from '../resource-names.js';
import { idOfPath } from './export-names.js';
import { ResourceJson } from './resource-json.js';

export interface ExportTools {
  /** The export queries by the call that reads what they export. */
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly mapping: Mapping;
  readonly ontology: Ontology;
  readonly base: string;
}

/** A stored statement, or one that it links to. */
export interface StatementSource {
  readonly name: string;
  /** As stored, with absolute IRIs: blank nodes have names. Empty where only its name matters. */
  readonly text: string;
  /** The resource that it came in as. */
  readonly origin: ResourceName | undefined;
  /** Whether it is only linked to. */
  readonly isLinked: boolean;
}

/** A resource, and what it is made of. */
export interface ExportedResource<S extends StatementSource> {
  readonly source: S;
  readonly resource: JsonObject;
}

/**
 * Makes FHIR R4 of statements. The queries run in an engine of its own, which has nothing but the tables of the mapping and
 * the statements that it is given.
 */
export class FhirExporter {
  readonly #engine = new WorkingSet();

  constructor(private readonly tools: ExportTools) {
    this.#engine.load(inGraph(tablesText(tools.mapping, tools.ontology), map.tables));
  }

  /** Runs the export query of a call over statements of a record. */
  resources<S extends StatementSource>(
    recordId: string,
    call: string,
    sources: readonly S[],
  ): ExportedResource<S>[] {
    const { queries, ontology, base } = this.tools;
    const [query, model] = [queries.get(call), ontology.callByName.get(call)];
    if (!query || !model) return [];
    const record = recordIri(base, recordId);
    const resource = query.variable === undefined ? resourceOf(model, { record_id: recordId }, base) : record;
    const byName = new Map(sources.map((source) => [source.name, source]));
    const sourceOf = (node: string): S | undefined =>
      byName.get(node === record ? `${record}/demographics` : node.replace(/#.*$/u, ''));
    const idOf = (node: string, type: string): string | undefined => {
      // A blank node goes out within another one.
      if (!node.startsWith(recordsStart(base)) || node.includes(INNER_MARK)) return undefined;
      const { origin } = sourceOf(node) ?? {};
      const path = node.slice(recordsStart(base).length);
      return origin?.type === type
        ? origin.id
        : idOfPath(type === 'Patient' ? path.replace(/\/.*$/u, '') : path);
    };
    const stored = sources.filter(({ text }) => text !== '');
    try {
      for (const { name, text, origin } of stored) {
        const cameInAs = origin ? writeTriples([say(namedNode(name), map.origin, literal(origin.type))]) : '';
        this.#engine.load(inGraph(text + cameInAs, name));
      }
      const values = { record: namedNode(record), resource: namedNode(resource) };
      const quads = this.#engine.quads(query.bind(values), () => undefined);
      return new ResourceJson(quads, { idOf }).resources().flatMap(({ node, resource: made }) => {
        const source = sourceOf(node);
        return source && !source.isLinked && source.text !== '' ? [{ source, resource: made }] : [];
      });
    } finally {
      this.#engine.clear(stored.map(({ name }) => name));
    }
  }
}
