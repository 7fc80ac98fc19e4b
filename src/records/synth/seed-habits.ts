import { Graph } from '../../ontology/graph.js';
import type { CodeModel } from '../../ontology/model.js';
import { addTo } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { termKey } from '../../rdf/term-key.js';
import { dcterms, rdf, sp } from '../../rdf/vocabulary.js';

/** What is measured under a code. */
export interface Measure {
  readonly unit: string;
  /** What values lie between. */
  readonly from: number;
  readonly to: number;
  /** The normal range; where none is told, all of it. */
  readonly low: number;
  readonly high: number;
  readonly decimals: number;
}

/** What known patients are described with, so that invented ones are described alike. */
export interface Habits {
  /** By `habitKey`: each code as often as it is used, so that to pick one is to pick by weight. */
  readonly codes: ReadonlyMap<string, readonly CodeModel[]>;
  /** By the IRI of the code. */
  readonly measures: ReadonlyMap<string, Measure>;
}

/** A property of a class that codes are the values of. */
export const habitKey = (classIri: string, property: string): string => `${classIri} ${property}`;

/** Learns from the graphs of known patients. A laboratory code that nothing was measured under is left out. */
export function habitsOf(graphs: Iterable<readonly Quad[]>): Habits {
  const codes = new Map<string, CodeModel[]>();
  const results = new Map<string, Result[]>();
  for (const quads of graphs) {
    const reader = new Reader(new Graph(quads));
    for (const { key, type, property, code } of reader.codes()) {
      const isLab = type === sp.LabResult && property === sp.labName;
      const result = isLab ? reader.result(key) : undefined;
      if (isLab && !result) continue;
      if (result) addTo(results, code.iri, result);
      addTo(codes, habitKey(type, property), code);
    }
  }
  return { codes, measures: new Map([...results].map(([code, found]) => [code, measureOf(found)])) };
}

interface Result {
  readonly value: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
}

function measureOf(results: readonly Result[]): Measure {
  const values = results.map(({ value }) => Number(value));
  const range = results.find(({ low, high }) => low <= high);
  const bounds = range ? [range.low, range.high] : [];
  const [from, to] = [Math.min(...values, ...bounds), Math.max(...values, ...bounds)];
  const decimals = Math.max(...results.map(({ value }) => value.split('.')[1]?.length ?? 0));
  const unit = results[0]?.unit ?? '';
  return { unit, from, to, low: range?.low ?? from, high: range?.high ?? to, decimals };
}

/** Reads a graph of statements. */
class Reader {
  constructor(private readonly graph: Graph) {}

  /** Every code with what holds it. */
  *codes(): Generator<{ key: string; type: string; property: string; code: CodeModel }> {
    for (const key of this.graph.subjects()) {
      for (const { value: type } of this.graph.objects(key, rdf.type)) {
        for (const [property, objects] of this.graph.properties(key)) {
          for (const object of objects) {
            const iri = this.graph.value(termKey(object), sp.code);
            if (iri !== undefined) yield { key, type, property, code: this.#code(iri) };
          }
        }
      }
    }
  }

  /** What a laboratory result says in numbers. */
  result(key: string): Result | undefined {
    const quantity = this.#node(key, sp.quantitativeResult);
    const value = this.graph.value(this.#node(quantity, sp.valueAndUnit), sp.value);
    if (value === undefined || !/^-?\d+(\.\d+)?$/.test(value)) return undefined;
    const range = this.#node(quantity, sp.normalRange);
    const bound = (property: string): number =>
      Number(this.graph.value(this.#node(range, property), sp.value) ?? NaN);
    const unit = this.graph.value(this.#node(quantity, sp.valueAndUnit), sp.unit) ?? '';
    return { value, unit, low: bound(sp.minimum), high: bound(sp.maximum) };
  }

  #code(iri: string): CodeModel {
    const say = (property: string): string => this.graph.value(iri, property) ?? '';
    const classes = this.graph.objects(iri, rdf.type).map(({ value }) => value);
    return {
      iri,
      title: say(dcterms.title),
      system: say(sp.system),
      identifier: say(dcterms.identifier),
      classes,
      broader: [],
      isOver: false,
      isOutside: false,
    };
  }

  #node(key: string, property: string): string {
    const [object] = this.graph.objects(key, property);
    return object ? termKey(object) : '';
  }
}
