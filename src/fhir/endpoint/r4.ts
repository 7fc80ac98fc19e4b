import { readFileSync } from 'node:fs';

/** The tables of r4.json, which are made of HL7's definitions of FHIR R4 (4.0.1). */
export interface R4 {
  /** Types, resources and their parts: elements with how often they stand, their types and what they are bound to. */
  readonly structures: Readonly<Record<string, string>>;
  /** For a path, constraints by key, each as its sentence and its expression in FHIRPath. */
  readonly constraints: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Codes by value set, for those that something must be taken from. */
  readonly valueSets: Readonly<Record<string, string>>;
  /** Codes by code system, for those that HL7 keeps for FHIR. */
  readonly codeSystems: Readonly<Record<string, string>>;
}

export const r4 = JSON.parse(readFileSync(new URL('./r4.json', import.meta.url), 'utf8')) as R4;
