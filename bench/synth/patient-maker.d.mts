import type { CodeModel, Ontology } from '../../src/model/ontology/model.js';
import type { NamedGraph } from '../../src/store/graph-store.js';

export interface SynthOptions {
  readonly ontology: Ontology;
  /** The same seed gives the same patients. */
  readonly seed: string;
  readonly size: 'small' | 'real';
  /** Absolute URL without a slash at its end. */
  readonly base: string;
  /** The record id of the first patient, a whole number. */
  readonly first: number;
  /** What known patients are described with; without it, codes of open sets are invented. */
  readonly habits?: Habits;
  /** Nothing but record and demographics. */
  readonly demographicsOnly?: boolean;
}

/** An invented record, ready to be stored. */
export interface SynthPatient {
  readonly recordId: string;
  readonly graphs: readonly NamedGraph[];
  readonly quads: number;
}

/** What is measured under a code: values lie between `from` and `to`, normal ones between `low` and `high`. */
export interface Measure {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
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

export function patientMaker(options: SynthOptions): (number: number) => SynthPatient;
