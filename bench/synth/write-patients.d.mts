import type { PrimaryStore } from '../../src/store/primary-store.js';
import type { SynthPatient } from './patient-maker.mjs';

export function storePatients(
  primary: PrimaryStore,
  patients: Iterable<SynthPatient> | AsyncIterable<SynthPatient>,
  report?: (done: number) => void,
): Promise<number>;
export function patientTurtle(patient: SynthPatient, base: string): Promise<string>;
export function patientQuads(patient: SynthPatient): string;
