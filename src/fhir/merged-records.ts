import { isObject } from '../rdf/json-object.js';
import { literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { cg, prov } from '../rdf/vocabulary.js';
import { enterOrigin, forgetOrigins, knownOf, originOf, setKnown } from '../records/statement-origins.js';
import { fits, isKeptByApp, recordIri } from '../records/resource-paths.js';
import type { WriteTx } from '../store/disk/data-directory.js';
import { pathOf } from '../store/paths.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { FileProgress } from './file-progress.js';
import { placeOf, type FhirResource } from './fhir-resources.js';
import { nameOf, type ResourceName } from './resource-names.js';
import type { ImportTally } from './import-tally.js';
import type { FhirLoadOptions } from './load-fhir.js';
import { recordsHaveIds } from './record-ids.js';
import type { MadeStatement } from './statement-graphs.js';
import type { RecordWriter } from './record-writer.js';
import { statementName } from './statement-names.js';

/** A patient of the load whose record another one replaces. */
interface Merged {
  readonly by: string;
  readonly tally: ImportTally;
  readonly place: string;
}

/** A graph that moves: as it is to be stored, but where the other record has it already; and what made it. */
interface Moving {
  readonly graph?: NamedGraph;
  readonly resource?: ResourceName;
  readonly isOne?: boolean;
}

type TargetOf = (reference: Readonly<Record<string, unknown>>, from: string) => string | undefined;

/**
 * Records that were merged (FHIR R4, `Patient.link`): what is about a patient who was replaced by another one is loaded into
 * the record of that one, and what earlier loads stored moves there. The old record keeps its demographics, which say by
 * which one it was replaced. What others wrote there stays, since they wrote it to that record.
 */
export class MergedRecords {
  readonly #merged = new Map<string, Merged>();
  /** The mark of each record so far. */
  readonly #marks = new Map<string, string | undefined>();

  constructor(private readonly options: FhirLoadOptions) {}

  /**
   * Looks at the links of a patient.
   * @param of the record that a patient has
   * @param target where a reference leads
   */
  learn(
    patient: FhirResource,
    of: (patient: string) => string | undefined,
    tally: ImportTally,
    target: TargetOf,
  ): void {
    const { iri, value } = patient;
    const place = placeOf(patient);
    // The merge was undone: an active patient without a link is not replaced.
    const recordId = of(iri);
    if (
      value.link === undefined &&
      value.active !== false &&
      recordId !== undefined &&
      !this.#merged.has(iri)
    )
      this.#marks.set(recordId, undefined);
    for (const link of Array.isArray(value.link) ? (value.link as unknown[]) : []) {
      if (!isObject(link)) continue;
      const other = isObject(link.other) ? target(link.other, iri) : undefined;
      if (other !== undefined && link.type === 'replaced-by')
        this.#merged.set(iri, { by: other, tally, place });
      else if (other !== undefined && link.type === 'replaces') {
        this.#merged.set(other, { by: iri, tally, place });
        this.#marks.delete(of(other) ?? '');
      } else
        tally.saw('remarks', 'Patient: there is another record, which is not joined with this one', place);
    }
  }

  /** Returns the record for resources about a patient, which may be that of the patient who replaced this one. */
  recordOf(patient: string, of: (patient: string) => string | undefined): string | undefined {
    let current = patient;
    for (const seen = new Set<string>(); !seen.has(current);) {
      seen.add(current);
      const next = this.#merged.get(current)?.by;
      if (next !== undefined && of(next) !== undefined) current = next;
    }
    let record = of(current);
    for (const seen = new Set<string>(); record !== undefined && !seen.has(record);) {
      seen.add(record);
      record = this.#markOf(record) ?? record;
    }
    return record;
  }

  /**
   * Demographics that are stored anew with what their own resource does not say: which records this one replaces, as
   * before, and by which one it is replaced, as that one says.
   * @param of the record that a patient has
   */
  marked(
    { query, graph, resource }: MadeStatement,
    recordId: string,
    of: (patient: string) => string | undefined,
  ): NamedGraph {
    if (query.patient.length > 0) return graph;
    const { name } = graph;
    const { by } = this.#merged.get(resource) ?? {};
    const next = by === undefined ? undefined : of(by);
    const added = (this.options.primary.graph(name) ?? []).filter(
      ({ predicate, object }) => predicate.value === cg.replaces && this.#markOf(object.value) === recordId,
    );
    if (next !== undefined && !graph.quads.some(({ predicate }) => predicate.value === cg.replacedBy))
      added.push(quad(namedNode(name), namedNode(cg.replacedBy), literal(next)));
    return added.length === 0 ? graph : { name, quads: [...graph.quads, ...added] };
  }

  /** Returns the existing record that a record says replaced it. */
  #markOf(recordId: string): string | undefined {
    if (!this.#marks.has(recordId)) {
      const { primary, base } = this.options;
      const quads = primary.graph(`${recordIri(base, recordId)}/demographics`) ?? [];
      const by = quads.find(({ predicate }) => predicate.value === cg.replacedBy)?.object.value;
      this.#marks.set(recordId, by !== undefined && primary.has(recordIri(base, by)) ? by : undefined);
    }
    return this.#marks.get(recordId);
  }

  /**
   * Moves what earlier loads stored in records that were replaced, and tells what stays there. All has been stored.
   * @param of the record that a patient has
   */
  async move(
    of: (patient: string) => string | undefined,
    writer: RecordWriter,
    progress: ReadonlyMap<ImportTally, FileProgress>,
  ): Promise<void> {
    const { primary, base } = this.options;
    for (const [patient, { by, tally, place }] of this.#merged) {
      const [from, to] = [of(patient), this.recordOf(by, of)];
      if (from === undefined || from === to || !primary.has(recordIri(base, from))) continue;
      if (to === undefined || !primary.has(recordIri(base, to))) {
        tally.saw('remarks', 'Patient: the one who replaced this one is not known; load both', place);
        continue;
      }
      const moved = this.#movable(from, to);
      const own = `${recordIri(base, from)}/demographics`;
      const stays = new Set([own, sourceOf(primary.graph(own))]);
      const left = primary
        .names(`${recordIri(base, from)}/`)
        .filter((name) => !moved.has(name) && !stays.has(name) && !isKeptByApp(name.slice(base.length)));
      const mark = this.#marked(from, to);
      if (moved.size > 0 || mark.length > 0) {
        const graphs = [...moved.values()].flatMap(({ graph }) => graph ?? []);
        await writer.move(to, graphs, mark, [...moved.keys()], (tx) => {
          for (const [name, each] of moved) this.#rehome(tx, name, each, from, to);
        });
        const file = progress.get(tally);
        for (const record of [from, to]) file?.records.add(record);
        if (file) file.changed = true;
      }
      if (left.length > 0)
        tally.saw(
          'remarks',
          'Patient: it was replaced by another one; what was not loaded from this server stays in its record',
          `${place}, record ${from}`,
        );
    }
  }

  /** What moves: graphs by their names, as they are to be stored, but for those that the other record has already. */
  #movable(from: string, to: string): Map<string, Moving> {
    const { primary, base } = this.options;
    const found = new Map<string, Moving>();
    if (!recordsHaveIds(this.options)) return found;
    const [old, next] = [recordIri(base, from), recordIri(base, to)];
    const rename = (term: Term): Term =>
      term.termType === 'NamedNode' && (term.value === old || term.value.startsWith(`${old}/`))
        ? namedNode(next + term.value.slice(old.length))
        : term;
    const moved = (name: string): NamedGraph => ({
      name: next + name.slice(old.length),
      quads: (primary.graph(name) ?? []).map((each) =>
        quad(rename(each.subject) as Quad['subject'], each.predicate, rename(each.object)),
      ),
    });
    for (const name of primary.names(`${old}/`)) {
      const resource = this.#resourceOf(name, from);
      if (!resource) continue;
      const graph = moved(name);
      const isOne = this.#queryOf(name, from)?.path.item === false;
      if (primary.has(graph.name) && isOne) continue;
      // The other record's knowledge of it is newer, even if it no longer makes a statement.
      const known = primary.directory.read((tx) => knownOf(tx, nameOf(resource)));
      const isThere = primary.has(graph.name) || known.some(({ recordId }) => recordId === to);
      found.set(name, { resource, isOne, ...(!isThere && { graph }) });
      const source = sourceOf(primary.graph(name));
      const kept = source === undefined ? undefined : moved(source);
      if (source !== undefined && kept && kept.quads.length > 0)
        found.set(source, isThere || primary.has(kept.name) ? {} : { graph: kept });
    }
    return found;
  }

  #queryOf(name: string, recordId: string) {
    const rest = name.slice(recordIri(this.options.base, recordId).length + 1);
    return this.options.mapping.makers.find(({ path }) => fits(path, rest));
  }

  /** Returns the resource that a load of one server made into a statement; undefined for others, and for patients. */
  #resourceOf(name: string, recordId: string): ResourceName | undefined {
    const { primary, base, mapping } = this.options;
    const record = recordIri(base, recordId);
    const rest = name.slice(record.length + 1);
    return primary.directory.read((tx) => {
      const origin = originOf(tx, pathOf(name, base));
      const candidates = mapping.makers
        .filter(({ path, patient }) => fits(path, rest) && patient.length > 0)
        .flatMap(({ path, sources }) => {
          if (!path.item) return origin === undefined ? [] : [{ path, resource: splitName(origin) }];
          const last = rest.slice(path.segment.length + 1);
          return sources
            .map((type) => ({ path, resource: { type, id: last.replace(new RegExp(`^${type}_`, 'u'), '') } }))
            .filter(({ resource }) => statementName({ record, path, resource }, mapping) === name);
        });
      return candidates.find(({ path, resource }) =>
        knownOf(tx, nameOf(resource)).some(
          (known) => known.recordId === recordId && known.hasPatientId && known.made.includes(path.segment),
        ),
      )?.resource;
    });
  }

  #rehome(tx: WriteTx, name: string, { resource, isOne }: Moving, from: string, to: string): void {
    if (!resource) return;
    const known = knownOf(tx, nameOf(resource));
    const isThere = known.some(({ recordId }) => recordId === to);
    const next = known.flatMap((each) =>
      each.recordId !== from ? [each] : isThere ? [] : [{ ...each, recordId: to }],
    );
    setKnown(tx, nameOf(resource), next);
    if (isOne !== true) return;
    const path = pathOf(name, this.options.base);
    forgetOrigins(tx, path);
    enterOrigin(tx, path.replace(`/records/${from}/`, `/records/${to}/`), nameOf(resource));
  }

  /** Returns the demographics of both records with the marks that they lack. */
  #marked(from: string, to: string): NamedGraph[] {
    const { primary, base } = this.options;
    const marks: [string, string, string][] = [
      [from, cg.replacedBy, to],
      [to, cg.replaces, from],
    ];
    return marks.flatMap(([recordId, property, other]) => {
      const name = `${recordIri(base, recordId)}/demographics`;
      const quads = primary.graph(name);
      const mark = quad(namedNode(name), namedNode(property), literal(other));
      if (!quads || quads.some((each) => each.predicate.value === property && each.object.value === other))
        return [];
      return [{ name, quads: [...quads, mark] }];
    });
  }
}

/** Returns the kept resource of a statement. */
const sourceOf = (quads: readonly Quad[] = []): string | undefined =>
  quads.find(({ predicate }) => predicate.value === prov.wasDerivedFrom)?.object.value;

const splitName = (name: string): ResourceName => {
  const [type = '', id = ''] = name.split('/');
  return { type, id };
};
