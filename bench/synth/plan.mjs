import { cg, sp, vcard } from '../../dist/rdf/vocabulary.js';

/** Quads that half of the patients have less than, and 99 % of them. */
export const sizes = {
  small: { median: 700, p99: 770 },
  real: { median: 1500, p99: 12_000 },
};

/** How often statements of a class come, beside one of each; 0: only where another statement asks for them. */
const weights = {
  [sp.LabResult]: 30,
  [sp.VitalSignSet]: 12,
  [sp.Fulfillment]: 12,
  [sp.Encounter]: 10,
  [sp.Problem]: 8,
  [sp.Medication]: 8,
  [sp.Immunization]: 4,
  [sp.ClinicalNote]: 3,
  [sp.Allergy]: 2,
  [sp.Procedure]: 2,
  [sp.FamilyHistory]: 2,
  [sp.Document]: 2,
  [sp.ImagingStudy]: 0.5,
  [sp.MedicalImage]: 0,
};

export function weightOf(classIri) {
  return weights[classIri] ?? 1;
}

/** How often a property that may be missing is there. */
const chances = {
  [vcard.deathdate]: 0,
  [cg.deceased]: 0,
  [sp.content]: 1,
  [sp.drugAllergen]: 1,
  [sp.drugClassAllergen]: 0,
  [sp.endDate]: 0.3,
  // A file that is not there, and what would have to be true of it.
  [sp.fileName]: 0,
  [sp.fileSize]: 0,
  [sp.hash]: 0,
  [sp.location]: 0,
  // Follows from the dispensings: see `backLinks`.
  [sp.fulfillment]: 0,
  [sp.narrativeResult]: 0.1,
  [sp.otherAllergen]: 0,
  [sp.provenance]: 0,
  [sp.quantitativeResult]: 0.95,
  [sp.refusalReason]: 0.05,
  [sp.smokingStatus]: 1,
};

/** What the statement itself says more readily than its components: a clinician's address matters less than a patient's. */
const ownChances = { [vcard.adr]: 1, [vcard.tel]: 0.8 };

/** @param component whether it is a component that may have the property, and not the statement itself */
export function chanceOf(property, component) {
  const everywhere = chances[property];
  if (everywhere !== undefined) return everywhere;
  return component ? 0.2 : (ownChances[property] ?? 0.6);
}

/** Links whose other direction is stated as well: property → property of what it leads to. */
export const backLinks = { [sp.medication]: sp.fulfillment };

/** Lists whose members the ontology does not name: property → class. */
export const listMembers = { [sp.images]: sp.MedicalImage };
