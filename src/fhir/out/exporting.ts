import type { JsonObject } from '../../rdf/json-object.js';
import { writeTriples } from '../../rdf/ntriples.js';
import { INNER_MARK, numberBlankNodes } from '../../rdf/skolem-iris.js';
import { literal, namedNode, quad, say, type Quad, type Term } from '../../rdf/terms.js';
import { mapping as map } from '../../rdf/vocabulary.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { QueryTemplate, Values } from '../../model/query/template.js';
import {
  fits,
  recordIri,
  recordPath,
  recordsStart,
  resourceOf,
  statementPaths,
} from '../../records/resource-paths.js';
import type { PrimaryStore } from '../../store/primary-store.js';
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
  readonly primary: Pick<PrimaryStore, 'base' | 'graph' | 'names'>;
  /** Finds the resource that a statement came in as. */
  readonly originOf: (name: string) => ResourceName | undefined;
}

/**
 * Makes FHIR R4 of the statements of one record at a time. The queries run in an engine of its own, which has nothing but
 * the tables of the mapping, these statements and what they link to.
 */
export class FhirExporter {
  readonly #engine = new WorkingSet();
  /** Of the resources that were made last, by type and id, the statement that each is made of. */
  readonly statements = new Map<string, string>();

  constructor(private readonly tools: ExportTools) {
    this.#engine.load(inGraph(tablesText(tools.mapping, tools.ontology), map.tables));
  }

  /**
   * Returns the resources of a record, or of some of its statements; what no query exports is left out.
   * @param calls whose queries are run; default: all
   */
  resources(recordId: string, statements?: readonly string[], calls?: readonly string[]): JsonObject[] {
    this.statements.clear();
    const { base } = this.tools.primary;
    const record = recordIri(base, recordId);
    const asked = new Set(statements ?? this.#statements(record));
    const graphs = new Map<string, Quad[]>();
    for (const name of asked) this.#open(name, recordId, graphs);
    const links = [...graphs.values()].flatMap((quads) => quads.map(({ object }) => object.value));
    for (const link of links) if (link.startsWith(`${record}/`)) this.#open(link, recordId, graphs);
    try {
      for (const [name, quads] of graphs) this.#engine.load(inGraph(writeTriples(quads), name));
      return [...this.tools.queries].flatMap(([call, query]) =>
        calls?.includes(call) === false ? [] : this.#run(call, query, recordId, asked),
      );
    } finally {
      this.#engine.clear([...graphs.keys()]);
    }
  }

  #statements(record: string): string[] {
    const paths = statementPaths(this.tools.ontology);
    const names = this.tools.primary.names(`${record}/`);
    return names.filter((name) => paths.some((path) => fits(path, name.slice(record.length + 1))));
  }

  /** Adds a statement of the record, under the names of its blank nodes, with the type of resource that it came in as. */
  #open(name: string, recordId: string, graphs: Map<string, Quad[]>): void {
    if (graphs.has(name) || recordPath(name, this.tools.primary.base)?.recordId !== recordId) return;
    const quads = this.tools.primary.graph(name);
    if (!quads) return;
    const numbers = numberBlankNodes(quads);
    const named = (term: Term): Term =>
      term.termType === 'BlankNode' ? namedNode(`${name}${INNER_MARK}${numbers.get(term.value)}`) : term;
    const origin = this.tools.originOf(name);
    graphs.set(name, [
      ...quads.map((each) => quad(named(each.subject), each.predicate, named(each.object))),
      ...(origin ? [say(namedNode(name), map.origin, literal(origin.type))] : []),
    ]);
  }

  #run(call: string, query: QueryTemplate, recordId: string, asked: ReadonlySet<string>): JsonObject[] {
    const { ontology, primary } = this.tools;
    const record = recordIri(primary.base, recordId);
    const model = ontology.callByName.get(call);
    const single = model && query.variable === undefined;
    const resource = single ? resourceOf(model, { record_id: recordId }, primary.base) : record;
    const values = { record: namedNode(record), resource: namedNode(resource) };
    const members = single ? [resource] : this.#members(query, values);
    const known = members.filter((name) => asked.has(name)).map((name) => namedNode(name));
    if (known.length === 0) return [];
    const quads = this.#engine.quads(
      single ? query.bind(values) : query.known(values, known),
      () => undefined,
    );
    return new ResourceJson(quads, {
      idOf: (node, type) => this.#idOf(node === record ? `${record}/demographics` : node, type),
    }).resources();
  }

  #members(query: QueryTemplate, values: Values): string[] {
    const [, ...rows] = this.#engine.select(query.select(values)).split('\n');
    return rows.filter(Boolean).map((row) => row.slice(1, -1));
  }

  /** The id of the resource that a name goes out as; undefined for a blank node, which goes out within another one. */
  #idOf(node: string, type: string): string | undefined {
    const start = recordsStart(this.tools.primary.base);
    if (!node.startsWith(start) || node.includes(INNER_MARK)) return undefined;
    const [name = ''] = node.split('#');
    const origin = this.tools.originOf(name);
    const path = node.slice(start.length);
    const id =
      origin?.type === type ? origin.id : idOfPath(type === 'Patient' ? path.replace(/\/.*$/u, '') : path);
    this.statements.set(`${type}/${id}`, name);
    return id;
  }
}
