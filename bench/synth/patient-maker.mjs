import { addTo } from '../../dist/rdf/by-key.js';
import { blankNode, namedNode, quad } from '../../dist/rdf/terms.js';
import { rdf, sp } from '../../dist/rdf/vocabulary.js';
import { statementPathOf, recordIri, statementIri } from '../../dist/records/resource-paths.js';
import { codesOf } from './synth-codes.mjs';
import { describeStatement } from './describe-statement.mjs';
import { backLinks, sizes, weightOf } from './plan.mjs';
import { Random } from './random.mjs';

/**
 * Makes the function that invents patients by their number: deterministic, valid against the ontology, of every
 * statement class that the ontology places in records (as far as the size allows), every link within the record.
 */
export function patientMaker(options) {
  const { ontology } = options;
  const kinds = new Map();
  for (const model of ontology.classes.values()) {
    const path = model.kind === 'statement' ? statementPathOf(model) : undefined;
    // Loads of FHIR make what is kept instead of a class; who invents patients has the class.
    if (path && !model.insteadOf) kinds.set(model.iri, { model, path });
  }
  const known = new Map();
  const codes = (codeClass) => {
    const found = known.get(codeClass) ?? codesOf(ontology, codeClass);
    known.set(codeClass, found);
    return found;
  };
  return (number) => new Chart(options, kinds, codes, number).finish();
}

class Chart {
  #options;
  #kinds;
  #codes;
  #person;
  #record;
  #drafts = new Map();
  #byClass = new Map();
  #waiting = [];
  #quads = 1;
  #blanks = 0;

  constructor(options, kinds, codes, number) {
    this.#options = options;
    this.#kinds = kinds;
    this.#codes = codes;
    const recordId = String(options.first + number);
    this.#person = { number, recordId, random: new Random(`${options.seed}/${number}`) };
    this.#record = recordIri(options.base, recordId);
  }

  finish() {
    const { median, p99 } = sizes[this.#options.size];
    const target = this.#person.random.logNormal(median, p99);
    for (const kind of this.#inOrder()) if (this.#quads < target) this.#add(kind);
    const repeated = [...this.#kinds.values()].filter(
      ({ model, path }) => path.item && weightOf(model.iri) > 0,
    );
    const total = repeated.reduce((sum, { model }) => sum + weightOf(model.iri), 0);
    while (!this.#options.demographicsOnly && total > 0 && this.#quads < target) {
      let left = this.#person.random.next() * total;
      const kind = repeated.find(({ model }) => (left -= weightOf(model.iri)) < 0);
      if (kind) this.#add(kind);
    }
    const own = quad(namedNode(this.#record), namedNode(rdf.type), namedNode(sp.MedicalRecord));
    const graphs = [...this.#drafts.values()].map(({ iri, quads }) => ({ name: iri, quads }));
    return {
      recordId: this.#person.recordId,
      graphs: [{ name: this.#record, quads: [own] }, ...graphs],
      quads: this.#quads,
    };
  }

  /** Demographics first: a record without is none; then one of each class. */
  #inOrder() {
    const all = [...this.#kinds.values()].sort(({ model: a }, { model: b }) => (a.iri < b.iri ? -1 : 1));
    const demographics = all.filter(({ model }) => model.iri === sp.Demographics);
    if (this.#options.demographicsOnly) return demographics;
    return [
      ...demographics,
      ...all.filter((kind) => !demographics.includes(kind) && weightOf(kind.model.iri) > 0),
    ];
  }

  /** Puts a statement into the record, with all that it needs to link to. */
  #add(kind) {
    if (!kind.path.item && this.#byClass.has(kind.model.iri)) return;
    this.#draft(kind, undefined);
    for (let draft = this.#waiting.pop(); draft; draft = this.#waiting.pop()) this.#describe(draft);
  }

  #draft(kind, cause) {
    const { random } = this.#person;
    let iri;
    do {
      const id = random
        .integer(0, 2 ** 32 - 1)
        .toString(16)
        .padStart(8, '0');
      iri = statementIri(this.#record, kind.path, id);
    } while (this.#drafts.has(iri));
    const draft = { iri, kind, cause, quads: [] };
    this.#drafts.set(iri, draft);
    addTo(this.#byClass, kind.model.iri, draft);
    this.#waiting.push(draft);
    return draft;
  }

  #describe(draft) {
    const described = describeStatement(draft.iri, draft.kind.model, this.#record, {
      ontology: this.#options.ontology,
      person: this.#person,
      blank: () => blankNode(`b${this.#blanks++}`),
      codes: this.#codes,
      habits: this.#options.habits,
      link: (classIri, fresh) => this.#link(draft, classIri, fresh),
    });
    // What was waiting may have been linked back from already.
    draft.quads.push(...described);
    this.#quads += described.length;
    for (const { predicate, object } of described) {
      const back = backLinks[predicate.value];
      const other = back === undefined ? undefined : this.#drafts.get(object.value);
      if (back === undefined || !other) continue;
      other.quads.push(quad(namedNode(other.iri), namedNode(back), namedNode(draft.iri)));
      this.#quads++;
    }
  }

  #link(from, classIri, fresh) {
    if (from.cause?.kind.model.iri === classIri) return from.cause.iri;
    const there = this.#byClass.get(classIri) ?? [];
    if (!fresh && there.length > 0) return this.#person.random.pick(there).iri;
    const kind = this.#kinds.get(classIri);
    if (!kind) throw new Error(`The ontology links to ${classIri} but gives it no place in a record.`);
    return this.#draft(kind, from).iri;
  }
}
