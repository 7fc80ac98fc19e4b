import { Graph } from '../../dist/model/ontology/graph.js';
import { addTo } from '../../dist/rdf/by-key.js';
import { termKey } from '../../dist/rdf/term-key.js';
import { dcterms, rdf, sp } from '../../dist/rdf/vocabulary.js';

/** A property of a class that codes are the values of. */
export const habitKey = (classIri, property) => `${classIri} ${property}`;

/** Learns from the graphs of known patients. A laboratory code that nothing was measured under is left out. */
export function habitsOf(graphs) {
  const codes = new Map();
  const results = new Map();
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

function measureOf(results) {
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
  constructor(graph) {
    this.graph = graph;
  }

  /** Every code with what holds it. */
  *codes() {
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
  result(key) {
    const quantity = this.#node(key, sp.quantitativeResult);
    const value = this.graph.value(this.#node(quantity, sp.valueAndUnit), sp.value);
    if (value === undefined || !/^-?\d+(\.\d+)?$/.test(value)) return undefined;
    const range = this.#node(quantity, sp.normalRange);
    const bound = (property) => Number(this.graph.value(this.#node(range, property), sp.value) ?? NaN);
    const unit = this.graph.value(this.#node(quantity, sp.valueAndUnit), sp.unit) ?? '';
    return { value, unit, low: bound(sp.minimum), high: bound(sp.maximum) };
  }

  #code(iri) {
    const say = (property) => this.graph.value(iri, property) ?? '';
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

  #node(key, property) {
    const [object] = this.graph.objects(key, property);
    return object ? termKey(object) : '';
  }
}
