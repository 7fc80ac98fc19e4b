import { readFileSync } from 'node:fs';

/** The tables of r4.json, generated from HL7's definitions of FHIR R4 (4.0.1). */
export interface R4 {
  /** Types, resources and their parts: elements with their cardinality, types and bindings. */
  readonly structures: Readonly<Record<string, string>>;
  /** By path, constraints by key, each with its sentence and its FHIRPath expression. */
  readonly constraints: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Codes by value set, for required bindings. */
  readonly valueSets: Readonly<Record<string, string>>;
  /** Codes by code system, for those that HL7 maintains for FHIR. */
  readonly codeSystems: Readonly<Record<string, string>>;
}

export const r4 = JSON.parse(readFileSync(new URL('./r4.json', import.meta.url), 'utf8')) as R4;
