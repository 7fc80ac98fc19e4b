// Made from the ontology, version 0.34, by `chartgraph ontology client`: change that, not this.
import { connect } from './connect.js';
import type {
  AnalysisMethod,
  AnalystSettings,
  ApiModel,
  ClientSettings,
  Code,
  Described,
  DocumentMethod,
  FileAnswer,
  GraphAnswer,
  Inner,
  JsonListMethod,
  JsonMethod,
  Link,
  ListMethod,
  NoParameters,
  ObjectAnswer,
  PostMethod,
  ReadMethod,
  RemoveMethod,
  SendMethod,
  StoreMethod,
  Thing,
} from './connect.js';

/** The media type of a file. Its IRI is http://purl.org/NET/mediatypes/ and the type. */
export interface MediaTypeOrExtent extends Inner<'MediaTypeOrExtent'> {
  /** A short name for people. On a media type it is the type itself, for example text/plain. */
  readonly label: string;
}

/** A substance that the patient does not tolerate, and what it does. */
export interface Allergy extends Described<'Allergy'> {
  /** What happens when the patient meets the substance. Codes: SNOMED. */
  readonly allergicReaction: CodedValue;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The kind of allergy or intolerance. Codes: AllergyCategory. */
  readonly category: CodedValue;
  /** The drug ingredient that is not tolerated, an RxNorm concept of the type IN. Codes: RxNorm_Ingredient. */
  readonly drugAllergen?: CodedValue;
  /** The class of drugs that is not tolerated, from NDF-RT. Codes: NDFRT. */
  readonly drugClassAllergen?: CodedValue;
  /** When it ended, in ISO 8601. Left out while it lasts. */
  readonly endDate?: string;
  /** A food or other substance that is not tolerated, as a UNII code, or anything, drugs included, that has a code of SNOMED CT alone; sp:system tells which. Codes: OtherAllergenCode. */
  readonly otherAllergen?: CodedValue;
  /** How bad the reaction is. Codes: AllergySeverity. */
  readonly severity: CodedValue;
  /** When it began, in ISO 8601; a year or a month alone will do. */
  readonly startDate: string;
}

/** Says that no allergy of a kind is known. */
export interface AllergyExclusion extends Described<'AllergyExclusion'> {
  /** The kind of allergy that is excluded. Codes: AllergyExclusion. */
  readonly allergyExclusionName: CodedValue;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
}

/** Who took part in something, and from when to when. Kept for older data; no property leads to one. */
export interface Attribution extends Inner<'Attribution'> {
  /** When it ended, in ISO 8601. Left out while it lasts. */
  readonly endDate?: string;
  /** Who took part. */
  readonly participant?: Participant;
  /** When it began, in ISO 8601; a year or a month alone will do. */
  readonly startDate?: string;
}

/** The two pressures of one measurement and how it was made. */
export interface BloodPressure extends Inner<'BloodPressure'> {
  /** How the patient was placed. Codes: BloodPressureBodyPosition. */
  readonly bodyPosition?: CodedValue;
  /** The limb that was measured. Codes: BloodPressureBodySite. */
  readonly bodySite?: CodedValue;
  /** The lower pressure in mm[Hg]; LOINC 8462-4. The unit is mm[Hg]. */
  readonly diastolic: VitalSign;
  /** How the pressure was measured. Codes: BloodPressureMethod. */
  readonly method?: CodedValue;
  /** The upper pressure in mm[Hg]; LOINC 8480-6. The unit is mm[Hg]. */
  readonly systolic: VitalSign;
}

/** A text about the patient, written by a clinician, by the patient or by an app. */
export interface ClinicalNote extends Described<'ClinicalNote'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** What kind of document it is. Codes: DocumentType. */
  readonly documentType: readonly CodedValue[];
  /** The name of the file. */
  readonly fileName?: string;
  /** The size of the file in bytes. The unit is byte. */
  readonly fileSize?: AnyValueAndUnit;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** Location, hash and content of the file. */
  readonly resource: Resource;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The media type of the file. */
  readonly format: MediaTypeOrExtent;
  /** What it is called, for people to read. */
  readonly title?: string;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
}

/** The code that a coded value was translated from. */
export interface CodeProvenance extends Inner<'CodeProvenance'> {
  /** The IRI of the code that was translated. */
  readonly sourceCode: string;
  /** How far the translation of a code can be relied on. */
  readonly translationFidelity?: Code;
  /** What it is called, for people to read. */
  readonly title: string;
}

/** A concept as it was recorded: a text for people and the code that it stands for. */
export interface CodedValue extends Inner<'CodedValue'> {
  /** The code of a coded value. */
  readonly code: Code;
  /** Where a code comes from: on a coded value the translation that led to it, on a medication a code for how it became known. */
  readonly provenance: readonly CodeProvenance[];
  /** What it is called, for people to read. */
  readonly title: string;
}

/** The bytes of a document, written as text. */
export interface Content extends Inner<'Content'> {
  /** UTF-8 for text as it is, Base64 for other bytes. */
  readonly encoding: string;
  /** The number of a quantity, a text result, the content of a file or a digest. */
  readonly value: string;
}

/** Who the patient of a record is. */
export interface Demographics extends Described<'Demographics'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The ethnicity that the person states. */
  readonly ethnicity?: string;
  /** The length of the pregnancy at birth in weeks. The unit is wk. */
  readonly gestationalAgeAtBirth?: AnyValueAndUnit;
  /** A number that an institution knows the patient by, with that institution as its system. */
  readonly medicalRecordNumber: readonly Code[];
  /** The language that the person wants to be spoken to in. */
  readonly preferredLanguage?: string;
  /** The race that the person states. */
  readonly race?: string;
  /** A postal address. */
  readonly adr: readonly Address[];
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
  /** An e-mail address. */
  readonly email: readonly string[];
  /** The name of the person. */
  readonly n: Name;
  /** A telephone number with its labels. */
  readonly tel: readonly Tel[];
  /** male or female. */
  readonly gender: string;
  /** true where it is known that the person has died, and perhaps not when. */
  readonly deceased?: string;
  /** The id of the record that the patient has now: what is new goes there. */
  readonly replacedBy?: string;
  /** The id of a record that the patient had before. */
  readonly replaces: readonly string[];
}

/** A file that is part of a record. */
export interface Document extends Described<'Document'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** What kind of document it is. Codes: DocumentType. */
  readonly documentType: readonly CodedValue[];
  /** The name of the file. */
  readonly fileName?: string;
  /** The size of the file in bytes. The unit is byte. */
  readonly fileSize?: AnyValueAndUnit;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** Location, hash and content of the file. */
  readonly resource: Resource;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The media type of the file. */
  readonly format: MediaTypeOrExtent;
  /** What it is called, for people to read. */
  readonly title?: string;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
}

/** A meeting of the patient with those who give care. */
export interface Encounter extends Described<'Encounter'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The kind of meeting, such as ambulatory or inpatient. Codes: EncounterType. */
  readonly encounterType: CodedValue;
  /** When it ended, in ISO 8601. Left out while it lasts. */
  readonly endDate?: string;
  /** The organization at which the encounter took place. */
  readonly facility?: AnyOrganization;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** When it began, in ISO 8601; a year or a month alone will do. */
  readonly startDate: string;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
  /** Why the patient came, in the words of the source. */
  readonly visitReason?: string;
  /** What kind of visit it was, in the words of the source: check-up, encounter for symptom. */
  readonly visitType?: string;
}

/** What is known of the health of one relative. */
export interface FamilyHistory extends Described<'FamilyHistory'> {
  /** How the relative is related to the patient, as a SNOMED CT concept. Codes: SNOMED. */
  readonly aboutRelative: CodedValue;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** A condition of the relative. Codes: SNOMED. */
  readonly hasProblem: readonly CodedValue[];
  /** Body height in cm; LOINC 8302-2, or 8306-3 when lying. The unit is cm. */
  readonly height?: VitalSign;
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
}

/** One time that a pharmacy handed out a medication. */
export interface Fulfillment extends Described<'Fulfillment'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** For how many days the dispensed amount lasts. */
  readonly dispenseDaysSupply: string;
  /** The medication that was dispensed. */
  readonly medication: Link<Medication>;
  /** Who administers the drug benefit under which it was dispensed. */
  readonly pbm?: string;
  /** The pharmacy that dispensed. */
  readonly pharmacy?: Pharmacy;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** How much was handed out. Units are UCUM. */
  readonly quantityDispensed?: AnyValueAndUnit;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** A digest of the bytes of a document. */
export interface Hash extends Inner<'Hash'> {
  /** How the digest was made, such as SHA-256. */
  readonly algorithm: string;
  /** The number of a quantity, a text result, the content of a file or a digest. */
  readonly value: string;
}

/** One examination by imaging. */
export interface ImagingStudy extends Described<'ImagingStudy'> {
  /** The number under which the laboratory or imaging department filed it. */
  readonly accessionNumber?: string;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The technique by which the images were made. Codes: ModalityType. */
  readonly modality: readonly CodedValue[];
  /** A series of the study. */
  readonly series: readonly Series[];
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** What it is called, for people to read. */
  readonly title: string;
}

/** A vaccine that was given, given in part, or not given. */
export interface Immunization extends Described<'Immunization'> {
  /** Whether the dose was given. Codes: ImmunizationAdministrationStatus. */
  readonly administrationStatus: CodedValue;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** A group of vaccines that the product counts as. Codes: ImmunizationClass. */
  readonly productClass: readonly CodedValue[];
  /** The vaccine, as a CVX code. Codes: ImmunizationProduct. */
  readonly productName: CodedValue;
  /** Why the vaccine was not given. Codes: ImmunizationRefusalReason. */
  readonly refusalReason?: CodedValue;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
}

/** Results that were ordered together. */
export interface LabPanel extends Described<'LabPanel'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The test or panel, as a LOINC code. Codes: LOINC. */
  readonly labName?: CodedValue;
  /** A result of the panel. */
  readonly labResult: readonly Link<LabResult>[];
  /** Who answers for the result or the panel, such as a laboratory or a clinician, as the source shows it. */
  readonly performerName?: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** What one laboratory test found. */
export interface LabResult extends Described<'LabResult'> {
  /** Whether the result is normal, abnormal or critical. Codes: LabResultInterpretation. */
  readonly abnormalInterpretation?: CodedValue;
  /** The number under which the laboratory or imaging department filed it. */
  readonly accessionNumber?: string;
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The test or panel, as a LOINC code. Codes: LOINC. */
  readonly labName: CodedValue;
  /** Whether the result is preliminary, final or a correction. Codes: LabResultStatus. */
  readonly labStatus?: CodedValue;
  /** The result in words. */
  readonly narrativeResult?: NarrativeResult;
  /** Remarks in free text. */
  readonly notes?: string;
  /** The result as a quantity. */
  readonly quantitativeResult?: QuantitativeResult;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** Who answers for the result or the panel, such as a laboratory or a clinician, as the source shows it. */
  readonly performerName?: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** One image of a study. */
export interface MedicalImage extends Described<'MedicalImage'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The identifier of the image in DICOM. */
  readonly dicomImageUID?: string;
  /** The identifier of the series in DICOM. */
  readonly dicomSeriesUID?: string;
  /** The identifier of the study in DICOM. */
  readonly dicomStudyUID?: string;
  /** What kind of document it is. Codes: DocumentType. */
  readonly documentType: readonly CodedValue[];
  /** The name of the file. */
  readonly fileName?: string;
  /** The size of the file in bytes. The unit is byte. */
  readonly fileSize?: AnyValueAndUnit;
  /** The study that the image is part of. */
  readonly imagingStudy: Link<ImagingStudy>;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** Location, hash and content of the file. */
  readonly resource: Resource;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The media type of the file. */
  readonly format: MediaTypeOrExtent;
  /** What it is called, for people to read. */
  readonly title?: string;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
}

/** All that a container holds of one patient. */
export interface MedicalRecord extends Described<'MedicalRecord'> {
  /** A statement of the record. */
  readonly hasStatement: readonly Link<AnyStatement>[];
}

/** A drug that the patient takes or took, and how. */
export interface Medication extends Described<'Medication'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The drug as it was prescribed: an RxNorm concept of the type SCD, SBD, GPCK or BPCK. Codes: RxNorm_Semantic. */
  readonly drugName: CodedValue;
  /** When it ended, in ISO 8601. Left out while it lasts. */
  readonly endDate?: string;
  /** How often it is taken. The unit is /d, /wk or /mo. */
  readonly frequency?: AnyValueAndUnit;
  /** A time that the medication was dispensed. */
  readonly fulfillment: readonly Link<Fulfillment>[];
  /** How to take it, in free text. */
  readonly instructions: string;
  /** Where a code comes from: on a coded value the translation that led to it, on a medication a code for how it became known. */
  readonly provenance: readonly Code[];
  /** How much is taken at a time. Units are UCUM; counted things stand in braces, such as {tablet}. */
  readonly quantity?: AnyValueAndUnit;
  /** When it began, in ISO 8601; a year or a month alone will do. */
  readonly startDate: string;
  /** That a medication was stopped, completed or is on hold, where the day of it may not be known, or that nobody knows whether it is taken. Codes: MedicationStatus. */
  readonly medicationStatus?: CodedValue;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
}

/** A result given in words. */
export interface NarrativeResult extends Inner<'NarrativeResult'> {
  /** The number of a quantity, a text result, the content of a file or a digest. */
  readonly value: string;
}

/** A hospital, practice, pharmacy or the like. */
export interface Organization extends Inner<'Organization'> {
  /** A postal address. */
  readonly adr?: Address;
  /** The name of an organization. */
  readonly organization_name?: string;
}

/** A statement that groups others which were ordered or taken together. */
export interface Panel extends Described<'Panel'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
}

/** A person or an organization in the part that it played. */
export interface Participant extends Inner<'Participant'> {
  /** The organization that took part. */
  readonly organization?: AnyOrganization;
  /** The person who took part. */
  readonly person?: Link<AnyPerson>;
  /** What a user or participant is there for, in words. */
  readonly role?: string;
}

/** A human being, with what is recorded beside the card. */
export interface Person extends Inner<'Person'> {
  /** The ethnicity that the person states. */
  readonly ethnicity?: string;
  /** The language that the person wants to be spoken to in. */
  readonly preferredLanguage?: string;
  /** The race that the person states. */
  readonly race?: string;
  /** A postal address. */
  readonly adr: readonly Address[];
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
  /** An e-mail address. */
  readonly email: readonly string[];
  /** The name of the person. */
  readonly n: Name;
  /** A telephone number with its labels. */
  readonly tel: readonly Tel[];
  /** male or female. */
  readonly gender?: string;
}

/** An organization that dispenses medications. */
export interface Pharmacy extends Inner<'Pharmacy'> {
  /** The number of a pharmacy in the register of the National Council for Prescription Drug Programs. */
  readonly ncpdpId?: string;
  /** A postal address. */
  readonly adr?: Address;
  /** The name of an organization. */
  readonly organization_name?: string;
}

/** A picture of the patient. */
export interface Photograph extends Described<'Photograph'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** What kind of document it is. Codes: DocumentType. */
  readonly documentType: readonly CodedValue[];
  /** The name of the file. */
  readonly fileName?: string;
  /** The size of the file in bytes. The unit is byte. */
  readonly fileSize?: AnyValueAndUnit;
  /** The clinician who did, ordered or wrote it. */
  readonly provider?: Provider;
  /** Location, hash and content of the file. */
  readonly resource: Resource;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The media type of the file. */
  readonly format: MediaTypeOrExtent;
  /** What it is called, for people to read. */
  readonly title?: string;
  /** The name of the clinician who did, ordered or wrote it, as the source shows it, where the record has no more of them. */
  readonly providerName?: string;
}

/** A condition that the patient has or had. */
export interface Problem extends Described<'Problem'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** An encounter at which the problem was dealt with. */
  readonly encounters: readonly Link<Encounter>[];
  /** When it ended, in ISO 8601. Left out while it lasts. */
  readonly endDate?: string;
  /** Remarks in free text. */
  readonly notes?: string;
  /** The condition, as a SNOMED CT concept. Codes: SNOMED. */
  readonly problemName: CodedValue;
  /** Whether the condition is active, inactive or resolved. Codes: ProblemStatus. */
  readonly problemStatus?: CodedValue;
  /** When it began, in ISO 8601; a year or a month alone will do. */
  readonly startDate: string;
}

/** Something that was done to diagnose or treat the patient. */
export interface Procedure extends Described<'Procedure'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** What was done, as a concept of the procedure branch of SNOMED CT. Codes: Procedure. */
  readonly procedureName: CodedValue;
  /** How far the procedure has come. Codes: ProcedureStatus. */
  readonly procedureStatus?: CodedValue;
  /** The clinician who did, ordered or wrote it. */
  readonly provider: readonly Provider[];
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** A clinician. */
export interface Provider extends Inner<'Provider'> {
  /** The registration for prescribing controlled substances. */
  readonly deaNumber?: string;
  /** The ethnicity that the person states. */
  readonly ethnicity?: string;
  /** The national provider identifier. */
  readonly npiNumber?: string;
  /** The language that the person wants to be spoken to in. */
  readonly preferredLanguage?: string;
  /** The race that the person states. */
  readonly race?: string;
  /** A postal address. */
  readonly adr: readonly Address[];
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
  /** An e-mail address. */
  readonly email: readonly string[];
  /** The name of the person. */
  readonly n: Name;
  /** A telephone number with its labels. */
  readonly tel: readonly Tel[];
  /** male or female. */
  readonly gender?: string;
}

/** A measured quantity and the ranges it is judged by. */
export interface QuantitativeResult extends Inner<'QuantitativeResult'> {
  /** Values that call for no immediate action. */
  readonly nonCriticalRange?: ValueRange;
  /** Values that are expected in health. */
  readonly normalRange?: ValueRange;
  /** The measured quantity. */
  readonly valueAndUnit: AnyValueAndUnit;
}

/** Where the bytes of a document are, and how they can be checked. */
export interface Resource extends Inner<'Resource'> {
  /** The content of the file. */
  readonly content?: Content;
  /** The digest of the file. */
  readonly hash?: Hash;
  /** The address at which the file is found, as text. */
  readonly location?: string;
}

/** Images of a study that were taken in one go. */
export interface Series extends Inner<'Series'> {
  /** The images of the series, as an RDF list in their order. */
  readonly images: readonly Thing[];
  /** The technique by which the images were made. Codes: ModalityType. */
  readonly modality?: CodedValue;
  /** What it is called, for people to read. */
  readonly title?: string;
}

/** How the patient lives, as far as it bears on health. */
export interface SocialHistory extends Described<'SocialHistory'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Whether and how much the patient smokes. Codes: SmokingStatus. */
  readonly smokingStatus?: CodedValue;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** One self-contained fact of a record, with an IRI of its own. */
export interface Statement extends Described<'Statement'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
}

/** Somebody who can sign in at the container. */
export interface User extends Described<'User'> {
  /** Where the user works. */
  readonly department?: string;
  /** The ethnicity that the person states. */
  readonly ethnicity?: string;
  /** The language that the person wants to be spoken to in. */
  readonly preferredLanguage?: string;
  /** The race that the person states. */
  readonly race?: string;
  /** What a user or participant is there for, in words. */
  readonly role?: string;
  /** A postal address. */
  readonly adr: readonly Address[];
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
  /** An e-mail address. */
  readonly email: readonly string[];
  /** The name of the person. */
  readonly n: Name;
  /** A telephone number with its labels. */
  readonly tel: readonly Tel[];
  /** male or female. */
  readonly gender?: string;
}

/** A quantity. */
export interface ValueAndUnit extends Inner<'ValueAndUnit'> {
  /** The unit, in UCUM. */
  readonly unit: string;
  /** The number of a quantity, a text result, the content of a file or a digest. */
  readonly value: string;
}

/** All quantities from a minimum up to, not including, a maximum. */
export interface ValueRange extends Inner<'ValueRange'> {
  /** The upper end of a range, which is not part of it. */
  readonly maximum: AnyValueAndUnit;
  /** The lower end of a range, which is part of it. */
  readonly minimum: AnyValueAndUnit;
}

/** One quantity over another. Kept for older data; no property leads to one. */
export interface ValueRatio extends Inner<'ValueRatio'> {
  /** The lower quantity of a ratio. */
  readonly denominator: AnyValueAndUnit;
  /** The upper quantity of a ratio. */
  readonly numerator: AnyValueAndUnit;
}

/** One measured sign: a quantity and the code of what was measured. */
export interface VitalSign extends Inner<'VitalSign'> {
  /** The unit, in UCUM. */
  readonly unit: string;
  /** The number of a quantity, a text result, the content of a file or a digest. */
  readonly value: string;
  /** The code of what was measured. Codes: VitalSign. */
  readonly vitalName?: CodedValue;
}

/** Vital signs that were taken at one time. */
export interface VitalSignSet extends Described<'VitalSignSet'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** The blood pressure. */
  readonly bloodPressure?: BloodPressure;
  /** Weight over the square of height in kg/m2; LOINC 39156-5. The unit is kg/m2. */
  readonly bodyMassIndex?: VitalSign;
  /** The encounter at which the signs were taken. */
  readonly encounter: Link<Encounter>;
  /** The largest girth of the head in cm; LOINC 8287-5. The unit is cm. */
  readonly headCircumference?: VitalSign;
  /** Heart beats a minute; LOINC 8867-4. The unit is {beats}/min. */
  readonly heartRate?: VitalSign;
  /** Body height in cm; LOINC 8302-2, or 8306-3 when lying. The unit is cm. */
  readonly height?: VitalSign;
  /** Share of haemoglobin that carries oxygen, in percent; LOINC 2710-2. The unit is %{HemoglobinSaturation}. */
  readonly oxygenSaturation?: VitalSign;
  /** Breaths a minute; LOINC 9279-1. The unit is {breaths}/min. */
  readonly respiratoryRate?: VitalSign;
  /** Body temperature in degrees Celsius; LOINC 8310-5. The unit is Cel. */
  readonly temperature?: VitalSign;
  /** Body weight in kg; LOINC 3141-9. The unit is kg. */
  readonly weight?: VitalSign;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date: string;
  /** The status of the FHIR resource that it was loaded from, as a code of FHIR. */
  readonly sourceStatus?: string;
}

/** Says how much of a list an answer holds. Every list carries one, also an empty one. */
export interface ResponseSummary extends Inner<'ResponseSummary'> {
  /** Where the next page is; absent on the last one. */
  readonly nextPageURL?: string;
  /** Milliseconds that the container spent on the answer. An integer. */
  readonly processingTimeMs?: string;
  /** The statements of the page in their order, as an RDF list of their IRIs. */
  readonly resultOrder?: readonly Thing[];
  /** How many of them stand on this page; neighbours that come along are not counted. An integer. */
  readonly resultsReturned: string;
  /** How many statements pass the filters, over all pages. An integer. */
  readonly totalResultCount: string;
}

/** A postal address. */
export interface Address extends Inner<'Address'> {
  /** The country. */
  readonly country_name?: string;
  /** Flat, floor or building. */
  readonly extended_address?: string;
  /** Town or village. */
  readonly locality?: string;
  /** The postal code. */
  readonly postal_code?: string;
  /** State or province. */
  readonly region?: string;
  /** Street and house number. */
  readonly street_address?: string;
}

/** The parts of the name of a person. */
export interface Name extends Inner<'Name'> {
  /** A further given name. */
  readonly additional_name: readonly string[];
  /** The family name. */
  readonly family_name: string;
  /** The given name. */
  readonly given_name: string;
  /** A title before the name. */
  readonly honorific_prefix: readonly string[];
  /** A title after the name. */
  readonly honorific_suffix: readonly string[];
}

/** A telephone number. */
export interface Tel extends Inner<'Tel'> {
  /** The number itself. */
  readonly value: string;
}

/** Name, dates and addresses of a person. */
export interface VCard extends Inner<'VCard'> {
  /** A postal address. */
  readonly adr: readonly Address[];
  /** When the person was born, in ISO 8601. */
  readonly bday?: string;
  /** When the person died, in ISO 8601. */
  readonly deathdate?: string;
  /** An e-mail address. */
  readonly email: readonly string[];
  /** The name of the person. */
  readonly n: Name;
  /** A telephone number with its labels. */
  readonly tel: readonly Tel[];
}

/** What was recorded and could not become a statement of its class, in the words in which it came. */
export interface Unmapped extends Described<'Unmapped'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** An allergy in the words in which it was recorded, which could not be entered in the list of allergies. */
export interface UnmappedAllergy extends Described<'UnmappedAllergy'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** An imaging study in the words in which it was recorded, which could not be entered in the list of imaging studies. */
export interface UnmappedImagingStudy extends Described<'UnmappedImagingStudy'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** An immunization in the words in which it was recorded, which could not be entered in the list of immunizations. */
export interface UnmappedImmunization extends Described<'UnmappedImmunization'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** A lab result in the words in which it was recorded, which could not be entered in the list of lab results. */
export interface UnmappedLabResult extends Described<'UnmappedLabResult'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** A medication in the words in which it was recorded, which could not be entered in the list of medications. */
export interface UnmappedMedication extends Described<'UnmappedMedication'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** A problem in the words in which it was recorded, which could not be entered in the list of problems. */
export interface UnmappedProblem extends Described<'UnmappedProblem'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** A procedure in the words in which it was recorded, which could not be entered in the list of procedures. */
export interface UnmappedProcedure extends Described<'UnmappedProcedure'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** A vital sign set in the words in which it was recorded, which could not be entered in the list of vital sign sets. */
export interface UnmappedVitalSignSet extends Described<'UnmappedVitalSignSet'> {
  /** The record that a statement is part of. */
  readonly belongsTo: Link<MedicalRecord>;
  /** Remarks in free text. */
  readonly notes?: string;
  /** When it happened or was made, in ISO 8601; a year or a month alone will do. */
  readonly date?: string;
  /** What it is called, for people to read. */
  readonly title: string;
  /** A code as it came, as a text: its system, a vertical bar, the code, and in parentheses what the sender calls it. */
  readonly recordedCode: readonly string[];
  /** How it stood, in the words or codes in which it came. */
  readonly recordedStatus?: string;
  /** Why it could not become a statement of its class. It names types and elements, never what they say. */
  readonly whyUnmapped: string;
}

/** Organization or a class below it. */
export type AnyOrganization = Organization | Pharmacy;

/** Person or a class below it. */
export type AnyPerson = Person | Demographics | Provider | User;

/** Statement or a class below it. */
export type AnyStatement =
  | Statement
  | Allergy
  | AllergyExclusion
  | ClinicalNote
  | Demographics
  | Document
  | Encounter
  | FamilyHistory
  | Fulfillment
  | ImagingStudy
  | Immunization
  | LabPanel
  | LabResult
  | MedicalImage
  | Medication
  | Panel
  | Photograph
  | Problem
  | Procedure
  | SocialHistory
  | VitalSignSet
  | Unmapped
  | UnmappedAllergy
  | UnmappedImagingStudy
  | UnmappedImmunization
  | UnmappedLabResult
  | UnmappedMedication
  | UnmappedProblem
  | UnmappedProcedure
  | UnmappedVitalSignSet;

/** ValueAndUnit or a class below it. */
export type AnyValueAndUnit = ValueAndUnit | VitalSign;

/** What `delete_export` takes. */
export interface DeleteExportParameters {
  readonly app_id: string;
  readonly export_id: string;
}

/** What `delete_record_subscription` takes. */
export interface DeleteRecordSubscriptionParameters {
  readonly record_id: string;
  readonly subscription_id: string;
}

/** What `delete_scratchpad_data` takes. */
export interface DeleteScratchpadDataParameters {
  readonly record_id: string;
  readonly smart_app_id: string;
}

/** What `delete_user_preferences` takes. */
export interface DeleteUserPreferencesParameters {
  readonly user_id: string;
  readonly smart_app_id: string;
}

/** What `get_allergies` takes. */
export interface GetAllergiesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_allergy` takes. */
export interface GetAllergyParameters {
  readonly record_id: string;
  readonly allergy_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_app_manifest` takes. */
export interface GetAppManifestParameters {
  readonly descriptor: string;
}

/** What `get_clinical_note` takes. */
export interface GetClinicalNoteParameters {
  readonly record_id: string;
  readonly clinical_note_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_clinical_notes` takes. */
export interface GetClinicalNotesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_demographics` takes. */
export interface GetDemographicsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_document` takes. */
export interface GetDocumentParameters {
  readonly record_id: string;
  readonly document_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  readonly format?: 'combined' | 'metadata' | 'raw';
}

/** What `get_documents` takes. */
export interface GetDocumentsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly format?: 'combined' | 'metadata';
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_encounter` takes. */
export interface GetEncounterParameters {
  readonly record_id: string;
  readonly encounter_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_encounters` takes. */
export interface GetEncountersParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_export` takes. */
export interface GetExportParameters {
  readonly app_id: string;
  readonly export_id: string;
}

/** What `get_export_file` takes. */
export interface GetExportFileParameters {
  readonly app_id: string;
  readonly export_id: string;
  readonly file: string;
}

/** What `get_exports` takes. */
export interface GetExportsParameters {
  readonly app_id: string;
}

/** What `get_family_history_observation` takes. */
export interface GetFamilyHistoryObservationParameters {
  readonly record_id: string;
  readonly family_history_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_family_history_observations` takes. */
export interface GetFamilyHistoryObservationsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_fulfillment` takes. */
export interface GetFulfillmentParameters {
  readonly record_id: string;
  readonly fulfillment_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_fulfillments` takes. */
export interface GetFulfillmentsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_imaging_studies` takes. */
export interface GetImagingStudiesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_imaging_study` takes. */
export interface GetImagingStudyParameters {
  readonly record_id: string;
  readonly imaging_study_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_immunization` takes. */
export interface GetImmunizationParameters {
  readonly record_id: string;
  readonly immunization_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_immunizations` takes. */
export interface GetImmunizationsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_lab_panel` takes. */
export interface GetLabPanelParameters {
  readonly record_id: string;
  readonly lab_panel_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_lab_panels` takes. */
export interface GetLabPanelsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_lab_result` takes. */
export interface GetLabResultParameters {
  readonly record_id: string;
  readonly lab_result_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_lab_results` takes. */
export interface GetLabResultsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly descendants?: 'false' | 'true';
  /** A whole number. */
  readonly limit?: number;
  /** The identifier of a code, or of several. */
  readonly loinc?: string | readonly string[];
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_medical_image` takes. */
export interface GetMedicalImageParameters {
  readonly record_id: string;
  readonly medical_image_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  readonly format?: 'combined' | 'metadata' | 'raw';
}

/** What `get_medical_images` takes. */
export interface GetMedicalImagesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly format?: 'combined' | 'metadata';
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_medication` takes. */
export interface GetMedicationParameters {
  readonly record_id: string;
  readonly medication_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_medications` takes. */
export interface GetMedicationsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly descendants?: 'false' | 'true';
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
  /** The identifier of a code, or of several. */
  readonly rxnorm?: string | readonly string[];
}

/** What `get_photograph` takes. */
export interface GetPhotographParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  readonly format?: 'combined' | 'metadata' | 'raw';
}

/** What `get_problem` takes. */
export interface GetProblemParameters {
  readonly record_id: string;
  readonly problem_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_problems` takes. */
export interface GetProblemsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly descendants?: 'false' | 'true';
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
  /** The identifier of a code, or of several. */
  readonly snomed?: string | readonly string[];
}

/** What `get_procedure` takes. */
export interface GetProcedureParameters {
  readonly record_id: string;
  readonly procedure_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_procedures` takes. */
export interface GetProceduresParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly descendants?: 'false' | 'true';
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
  /** The identifier of a code, or of several. */
  readonly snomed?: string | readonly string[];
}

/** What `get_record` takes. */
export interface GetRecordParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_record_changes` takes. */
export interface GetRecordChangesParameters {
  readonly record_id: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly since?: number;
}

/** What `get_record_subscription` takes. */
export interface GetRecordSubscriptionParameters {
  readonly record_id: string;
  readonly subscription_id: string;
}

/** What `get_record_subscriptions` takes. */
export interface GetRecordSubscriptionsParameters {
  readonly record_id: string;
}

/** What `get_scratchpad_data` takes. */
export interface GetScratchpadDataParameters {
  readonly record_id: string;
  readonly smart_app_id: string;
}

/** What `get_social_history` takes. */
export interface GetSocialHistoryParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_allergies` takes. */
export interface GetUnmappedAllergiesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_allergy` takes. */
export interface GetUnmappedAllergyParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_imaging_studies` takes. */
export interface GetUnmappedImagingStudiesParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_imaging_study` takes. */
export interface GetUnmappedImagingStudyParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_immunization` takes. */
export interface GetUnmappedImmunizationParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_immunizations` takes. */
export interface GetUnmappedImmunizationsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_lab_result` takes. */
export interface GetUnmappedLabResultParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_lab_results` takes. */
export interface GetUnmappedLabResultsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_medication` takes. */
export interface GetUnmappedMedicationParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_medications` takes. */
export interface GetUnmappedMedicationsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_problem` takes. */
export interface GetUnmappedProblemParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_problems` takes. */
export interface GetUnmappedProblemsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_procedure` takes. */
export interface GetUnmappedProcedureParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_procedures` takes. */
export interface GetUnmappedProceduresParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_unmapped_vital_sign_set` takes. */
export interface GetUnmappedVitalSignSetParameters {
  readonly record_id: string;
  readonly unmapped_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_unmapped_vital_sign_sets` takes. */
export interface GetUnmappedVitalSignSetsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `get_user` takes. */
export interface GetUserParameters {
  readonly user_id: string;
}

/** What `get_user_preferences` takes. */
export interface GetUserPreferencesParameters {
  readonly user_id: string;
  readonly smart_app_id: string;
}

/** What `get_vital_sign_set` takes. */
export interface GetVitalSignSetParameters {
  readonly record_id: string;
  readonly vital_sign_set_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
}

/** What `get_vital_sign_sets` takes. */
export interface GetVitalSignSetsParameters {
  readonly record_id: string;
  /** The time as of which to answer, as 2026-03-01T12:00:00Z: what the record said then, as far back as history is kept. */
  readonly at?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_from_including?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_excluding?: string;
  /** ISO 8601; a year or a month alone will do. */
  readonly date_to_including?: string;
  readonly descendants?: 'false' | 'true';
  /** The identifier of a code, or of several. */
  readonly encounter_type?: string | readonly string[];
  /** A whole number. */
  readonly limit?: number;
  /** A whole number. */
  readonly offset?: number;
}

/** What `post_clinical_note` takes. */
export interface PostClinicalNoteParameters {
  readonly record_id: string;
}

/** What `post_export` takes. */
export interface PostExportParameters {
  readonly app_id: string;
}

/** What `post_record_subscription` takes. */
export interface PostRecordSubscriptionParameters {
  readonly record_id: string;
}

/** What `put_record_subscription` takes. */
export interface PutRecordSubscriptionParameters {
  readonly record_id: string;
  readonly subscription_id: string;
}

/** What `put_scratchpad_data` takes. */
export interface PutScratchpadDataParameters {
  readonly record_id: string;
  readonly smart_app_id: string;
}

/** What `put_user_preferences` takes. */
export interface PutUserPreferencesParameters {
  readonly user_id: string;
  readonly smart_app_id: string;
}

/** What `search_records` takes. */
export interface SearchRecordsParameters {
  /** ISO 8601; a year or a month alone will do. */
  readonly date_of_birth?: string;
  /** The beginning of a name, in any case. */
  readonly family_name?: string;
  readonly gender?: 'female' | 'male';
  /** The beginning of a name, in any case. */
  readonly given_name?: string;
  /** A whole number. */
  readonly limit?: number;
  /** The whole text. */
  readonly medical_record_number?: string;
  /** A whole number. */
  readonly offset?: number;
  /** The whole text. */
  readonly zipcode?: string;
}

/** What `search_users` takes. */
export interface SearchUsersParameters {
  /** The beginning of a name, in any case. */
  readonly family_name?: string;
  /** The beginning of a name, in any case. */
  readonly given_name?: string;
  /** A whole number. */
  readonly limit?: number;
  /** The beginning of a name, in any case. */
  readonly name?: string;
  /** A whole number. */
  readonly offset?: number;
}

/** A client: a method for each call of the ontology. */
export interface Client {
  /**
   * Cancels an export, or removes its files.
   * `DELETE /apps/{app_id}/exports/{export_id}`
   */
  readonly delete_export: RemoveMethod<DeleteExportParameters>;
  /**
   * Nothing more is told of the record at its address.
   * `DELETE /records/{record_id}/subscriptions/{subscription_id}`
   */
  readonly delete_record_subscription: RemoveMethod<DeleteRecordSubscriptionParameters>;
  /**
   * Removes what the app keeps with this record. Removing nothing succeeds too.
   * `DELETE /records/{record_id}/apps/{smart_app_id}/scratchpad`
   */
  readonly delete_scratchpad_data: RemoveMethod<DeleteScratchpadDataParameters>;
  /**
   * Removes what the app keeps for this user. Removing nothing succeeds too.
   * `DELETE /users/{user_id}/apps/{smart_app_id}/preferences`
   */
  readonly delete_user_preferences: RemoveMethod<DeleteUserPreferencesParameters>;
  /**
   * The allergies of one record, and the exclusions that say there is none of a kind.
   * `GET /records/{record_id}/allergies/`
   */
  readonly get_allergies: ListMethod<GetAllergiesParameters, Allergy | AllergyExclusion>;
  /**
   * One allergy or allergy exclusion.
   * `GET /records/{record_id}/allergies/{allergy_id}`
   */
  readonly get_allergy: ReadMethod<GetAllergyParameters, ObjectAnswer<Allergy | AllergyExclusion>>;
  /**
   * The manifest of one installed app. The descriptor is the id of the app.
   * `GET /apps/{descriptor}/manifest`
   */
  readonly get_app_manifest: JsonMethod<GetAppManifestParameters>;
  /**
   * The manifests of all installed apps, as one JSON array.
   * `GET /apps/manifests/`
   */
  readonly get_app_manifests: JsonListMethod<NoParameters>;
  /**
   * One clinical note, its text included.
   * `GET /records/{record_id}/clinical_notes/{clinical_note_id}`
   */
  readonly get_clinical_note: ReadMethod<GetClinicalNoteParameters, ObjectAnswer<ClinicalNote>>;
  /**
   * The clinical notes of one record.
   * `GET /records/{record_id}/clinical_notes/`
   */
  readonly get_clinical_notes: ListMethod<GetClinicalNotesParameters, ClinicalNote>;
  /**
   * What this container is, where apps find its launch and token addresses, and what it can do.
   * `GET /manifest`
   */
  readonly get_container_manifest: JsonMethod<NoParameters>;
  /**
   * Name, birth, gender, addresses and record numbers of the patient.
   * `GET /records/{record_id}/demographics`
   */
  readonly get_demographics: ReadMethod<GetDemographicsParameters, ObjectAnswer<Demographics | undefined>>;
  /**
   * One document: described, with its content in the description, or the file itself; raw when no format is given.
   * `GET /records/{record_id}/documents/{document_id}`
   */
  readonly get_document: DocumentMethod<GetDocumentParameters, Document, 'raw'>;
  /**
   * The documents of one record, described or with their content; metadata when no format is given.
   * `GET /records/{record_id}/documents/`
   */
  readonly get_documents: ListMethod<GetDocumentsParameters, Document>;
  /**
   * One encounter.
   * `GET /records/{record_id}/encounters/{encounter_id}`
   */
  readonly get_encounter: ReadMethod<GetEncounterParameters, ObjectAnswer<Encounter>>;
  /**
   * The encounters of one record.
   * `GET /records/{record_id}/encounters/`
   */
  readonly get_encounters: ListMethod<GetEncountersParameters, Encounter>;
  /**
   * How far an export is, and its files once they are made.
   * `GET /apps/{app_id}/exports/{export_id}`
   */
  readonly get_export: JsonMethod<GetExportParameters>;
  /**
   * Resources of one class as NDJSON of JSON-LD or as N-Quads, or the addresses of those that were removed.
   * `GET /apps/{app_id}/exports/{export_id}/files/{file}`
   */
  readonly get_export_file: ReadMethod<GetExportFileParameters, FileAnswer>;
  /**
   * The exports of the app that are being made, or whose files are there.
   * `GET /apps/{app_id}/exports`
   */
  readonly get_exports: JsonMethod<GetExportsParameters>;
  /**
   * One family history observation.
   * `GET /records/{record_id}/family_history/{family_history_id}`
   */
  readonly get_family_history_observation: ReadMethod<
    GetFamilyHistoryObservationParameters,
    ObjectAnswer<FamilyHistory>
  >;
  /**
   * The family history observations of one record.
   * `GET /records/{record_id}/family_history/`
   */
  readonly get_family_history_observations: ListMethod<GetFamilyHistoryObservationsParameters, FamilyHistory>;
  /**
   * One fulfillment with its medication.
   * `GET /records/{record_id}/fulfillments/{fulfillment_id}`
   */
  readonly get_fulfillment: ReadMethod<GetFulfillmentParameters, ObjectAnswer<Fulfillment>>;
  /**
   * The fulfillments of one record, each with its medication.
   * `GET /records/{record_id}/fulfillments/`
   */
  readonly get_fulfillments: ListMethod<GetFulfillmentsParameters, Fulfillment>;
  /**
   * The imaging studies of one record, each with its series and the links to their images.
   * `GET /records/{record_id}/imaging_studies/`
   */
  readonly get_imaging_studies: ListMethod<GetImagingStudiesParameters, ImagingStudy>;
  /**
   * One imaging study with its series and the links to their images.
   * `GET /records/{record_id}/imaging_studies/{imaging_study_id}`
   */
  readonly get_imaging_study: ReadMethod<GetImagingStudyParameters, ObjectAnswer<ImagingStudy>>;
  /**
   * One immunization.
   * `GET /records/{record_id}/immunizations/{immunization_id}`
   */
  readonly get_immunization: ReadMethod<GetImmunizationParameters, ObjectAnswer<Immunization>>;
  /**
   * The immunizations of one record.
   * `GET /records/{record_id}/immunizations/`
   */
  readonly get_immunizations: ListMethod<GetImmunizationsParameters, Immunization>;
  /**
   * One lab panel with its results.
   * `GET /records/{record_id}/lab_panels/{lab_panel_id}`
   */
  readonly get_lab_panel: ReadMethod<GetLabPanelParameters, ObjectAnswer<LabPanel>>;
  /**
   * The lab panels of one record, each with its results.
   * `GET /records/{record_id}/lab_panels/`
   */
  readonly get_lab_panels: ListMethod<GetLabPanelsParameters, LabPanel>;
  /**
   * One lab result.
   * `GET /records/{record_id}/lab_results/{lab_result_id}`
   */
  readonly get_lab_result: ReadMethod<GetLabResultParameters, ObjectAnswer<LabResult>>;
  /**
   * The lab results of one record.
   * `GET /records/{record_id}/lab_results/`
   */
  readonly get_lab_results: ListMethod<GetLabResultsParameters, LabResult>;
  /**
   * One medical image with its study: described, with the image in the description, or the image itself as the format asks; combined when no format is given.
   * `GET /records/{record_id}/medical_images/{medical_image_id}`
   */
  readonly get_medical_image: DocumentMethod<GetMedicalImageParameters, MedicalImage, 'combined'>;
  /**
   * The medical images of one record with their studies, described or with their content; metadata when no format is given.
   * `GET /records/{record_id}/medical_images/`
   */
  readonly get_medical_images: ListMethod<GetMedicalImagesParameters, MedicalImage>;
  /**
   * One medication with its fulfillments.
   * `GET /records/{record_id}/medications/{medication_id}`
   */
  readonly get_medication: ReadMethod<GetMedicationParameters, ObjectAnswer<Medication>>;
  /**
   * The medications of one record, each with its fulfillments.
   * `GET /records/{record_id}/medications/`
   */
  readonly get_medications: ListMethod<GetMedicationsParameters, Medication>;
  /**
   * This ontology, as the container uses it.
   * `GET /ontology`
   */
  readonly get_ontology: ReadMethod<NoParameters, GraphAnswer>;
  /**
   * The photograph of the patient: described, with the image in it, or the image itself as the format asks. combined when no format is given.
   * `GET /records/{record_id}/photograph`
   */
  readonly get_photograph: DocumentMethod<GetPhotographParameters, Photograph | undefined, 'combined'>;
  /**
   * One problem with its encounters.
   * `GET /records/{record_id}/problems/{problem_id}`
   */
  readonly get_problem: ReadMethod<GetProblemParameters, ObjectAnswer<Problem>>;
  /**
   * The problems of one record, each with its encounters.
   * `GET /records/{record_id}/problems/`
   */
  readonly get_problems: ListMethod<GetProblemsParameters, Problem>;
  /**
   * One procedure.
   * `GET /records/{record_id}/procedures/{procedure_id}`
   */
  readonly get_procedure: ReadMethod<GetProcedureParameters, ObjectAnswer<Procedure>>;
  /**
   * The procedures of one record.
   * `GET /records/{record_id}/procedures/`
   */
  readonly get_procedures: ListMethod<GetProceduresParameters, Procedure>;
  /**
   * The record itself, with rdfs:seeAlso to each list and each single resource in which it has something.
   * `GET /records/{record_id}`
   */
  readonly get_record: ReadMethod<GetRecordParameters, ObjectAnswer<MedicalRecord>>;
  /**
   * What was added, replaced and removed since a revision, when, and by whom; as server-sent events also what is to come.
   * `GET /records/{record_id}/changes`
   */
  readonly get_record_changes: JsonMethod<GetRecordChangesParameters>;
  /**
   * One subscription of the app: up to where it was told, and what could not be delivered.
   * `GET /records/{record_id}/subscriptions/{subscription_id}`
   */
  readonly get_record_subscription: JsonMethod<GetRecordSubscriptionParameters>;
  /**
   * The subscriptions of the app to a record.
   * `GET /records/{record_id}/subscriptions`
   */
  readonly get_record_subscriptions: JsonMethod<GetRecordSubscriptionsParameters>;
  /**
   * What the app keeps with this record, exactly as it was stored; empty when there is nothing. Other apps may read it.
   * `GET /records/{record_id}/apps/{smart_app_id}/scratchpad`
   */
  readonly get_scratchpad_data: ReadMethod<GetScratchpadDataParameters, FileAnswer>;
  /**
   * What is recorded of the life of the patient that bears on health, such as smoking.
   * `GET /records/{record_id}/social_history`
   */
  readonly get_social_history: ReadMethod<
    GetSocialHistoryParameters,
    ObjectAnswer<SocialHistory | undefined>
  >;
  /**
   * The allergies of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/allergies/`
   */
  readonly get_unmapped_allergies: ListMethod<GetUnmappedAllergiesParameters, UnmappedAllergy>;
  /**
   * One allergy that is kept in words alone.
   * `GET /records/{record_id}/unmapped/allergies/{unmapped_id}`
   */
  readonly get_unmapped_allergy: ReadMethod<GetUnmappedAllergyParameters, ObjectAnswer<UnmappedAllergy>>;
  /**
   * The imaging studies of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/imaging_studies/`
   */
  readonly get_unmapped_imaging_studies: ListMethod<
    GetUnmappedImagingStudiesParameters,
    UnmappedImagingStudy
  >;
  /**
   * One imaging study that is kept in words alone.
   * `GET /records/{record_id}/unmapped/imaging_studies/{unmapped_id}`
   */
  readonly get_unmapped_imaging_study: ReadMethod<
    GetUnmappedImagingStudyParameters,
    ObjectAnswer<UnmappedImagingStudy>
  >;
  /**
   * One immunization that is kept in words alone.
   * `GET /records/{record_id}/unmapped/immunizations/{unmapped_id}`
   */
  readonly get_unmapped_immunization: ReadMethod<
    GetUnmappedImmunizationParameters,
    ObjectAnswer<UnmappedImmunization>
  >;
  /**
   * The immunizations of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/immunizations/`
   */
  readonly get_unmapped_immunizations: ListMethod<GetUnmappedImmunizationsParameters, UnmappedImmunization>;
  /**
   * One lab result that is kept in words alone.
   * `GET /records/{record_id}/unmapped/lab_results/{unmapped_id}`
   */
  readonly get_unmapped_lab_result: ReadMethod<
    GetUnmappedLabResultParameters,
    ObjectAnswer<UnmappedLabResult>
  >;
  /**
   * The lab results of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/lab_results/`
   */
  readonly get_unmapped_lab_results: ListMethod<GetUnmappedLabResultsParameters, UnmappedLabResult>;
  /**
   * One medication that is kept in words alone.
   * `GET /records/{record_id}/unmapped/medications/{unmapped_id}`
   */
  readonly get_unmapped_medication: ReadMethod<
    GetUnmappedMedicationParameters,
    ObjectAnswer<UnmappedMedication>
  >;
  /**
   * The medications of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/medications/`
   */
  readonly get_unmapped_medications: ListMethod<GetUnmappedMedicationsParameters, UnmappedMedication>;
  /**
   * One problem that is kept in words alone.
   * `GET /records/{record_id}/unmapped/problems/{unmapped_id}`
   */
  readonly get_unmapped_problem: ReadMethod<GetUnmappedProblemParameters, ObjectAnswer<UnmappedProblem>>;
  /**
   * The problems of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/problems/`
   */
  readonly get_unmapped_problems: ListMethod<GetUnmappedProblemsParameters, UnmappedProblem>;
  /**
   * One procedure that is kept in words alone.
   * `GET /records/{record_id}/unmapped/procedures/{unmapped_id}`
   */
  readonly get_unmapped_procedure: ReadMethod<
    GetUnmappedProcedureParameters,
    ObjectAnswer<UnmappedProcedure>
  >;
  /**
   * The procedures of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/procedures/`
   */
  readonly get_unmapped_procedures: ListMethod<GetUnmappedProceduresParameters, UnmappedProcedure>;
  /**
   * One vital sign set that is kept in words alone.
   * `GET /records/{record_id}/unmapped/vital_sign_sets/{unmapped_id}`
   */
  readonly get_unmapped_vital_sign_set: ReadMethod<
    GetUnmappedVitalSignSetParameters,
    ObjectAnswer<UnmappedVitalSignSet>
  >;
  /**
   * The vital sign sets of one record that are kept in words alone, since they could not become statements of their class.
   * `GET /records/{record_id}/unmapped/vital_sign_sets/`
   */
  readonly get_unmapped_vital_sign_sets: ListMethod<GetUnmappedVitalSignSetsParameters, UnmappedVitalSignSet>;
  /**
   * One user of the container.
   * `GET /users/{user_id}`
   */
  readonly get_user: ReadMethod<GetUserParameters, ObjectAnswer<User>>;
  /**
   * What the app keeps for this user, exactly as it was stored; empty when there is nothing.
   * `GET /users/{user_id}/apps/{smart_app_id}/preferences`
   */
  readonly get_user_preferences: ReadMethod<GetUserPreferencesParameters, FileAnswer>;
  /**
   * One vital sign set with its encounter.
   * `GET /records/{record_id}/vital_sign_sets/{vital_sign_set_id}`
   */
  readonly get_vital_sign_set: ReadMethod<GetVitalSignSetParameters, ObjectAnswer<VitalSignSet>>;
  /**
   * The vital sign sets of one record, each with the encounter at which it was taken.
   * `GET /records/{record_id}/vital_sign_sets/`
   */
  readonly get_vital_sign_sets: ListMethod<GetVitalSignSetsParameters, VitalSignSet>;
  /**
   * Stores the one note in the body, which names no record, and answers with the note as stored.
   * `POST /records/{record_id}/clinical_notes/`
   */
  readonly post_clinical_note: PostMethod<PostClinicalNoteParameters, ClinicalNote>;
  /**
   * Has all records that the app may read, or what has changed in them, exported as files.
   * `POST /apps/{app_id}/exports`
   */
  readonly post_export: SendMethod<PostExportParameters>;
  /**
   * Has an address of the app told of the changes of a record by signed webhooks. The same address again is the same subscription.
   * `POST /records/{record_id}/subscriptions`
   */
  readonly post_record_subscription: SendMethod<PostRecordSubscriptionParameters>;
  /**
   * Tells everything after a revision again, and binds the subscription to the token that signs.
   * `PUT /records/{record_id}/subscriptions/{subscription_id}`
   */
  readonly put_record_subscription: SendMethod<PutRecordSubscriptionParameters>;
  /**
   * Replaces what the app keeps with this record and answers with what is stored.
   * `PUT /records/{record_id}/apps/{smart_app_id}/scratchpad`
   */
  readonly put_scratchpad_data: StoreMethod<PutScratchpadDataParameters>;
  /**
   * Replaces what the app keeps for this user and answers with what is stored.
   * `PUT /users/{user_id}/apps/{smart_app_id}/preferences`
   */
  readonly put_user_preferences: StoreMethod<PutUserPreferencesParameters>;
  /**
   * The demographics of every patient who matches all given terms. Names match from their beginning, the other terms as a whole.
   * `GET /records/search`
   */
  readonly search_records: ListMethod<SearchRecordsParameters, Demographics>;
  /**
   * The users whose names begin with the given terms; all users when none is given.
   * `GET /users/search`
   */
  readonly search_users: ListMethod<SearchUsersParameters, User>;
}

/** The calls and classes of the ontology, as clients work with them. */
export const model: ApiModel<Client> = {
  calls: {
    delete_export: {
      method: 'DELETE',
      path: '/apps/{app_id}/exports/{export_id}',
      form: 'removed',
      query: [],
      classes: [],
    },
    delete_record_subscription: {
      method: 'DELETE',
      path: '/records/{record_id}/subscriptions/{subscription_id}',
      form: 'removed',
      query: [],
      classes: [],
    },
    delete_scratchpad_data: {
      method: 'DELETE',
      path: '/records/{record_id}/apps/{smart_app_id}/scratchpad',
      form: 'removed',
      query: [],
      classes: [],
    },
    delete_user_preferences: {
      method: 'DELETE',
      path: '/users/{user_id}/apps/{smart_app_id}/preferences',
      form: 'removed',
      query: [],
      classes: [],
    },
    get_allergies: {
      method: 'GET',
      path: '/records/{record_id}/allergies/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['Allergy', 'AllergyExclusion'],
    },
    get_allergy: {
      method: 'GET',
      path: '/records/{record_id}/allergies/{allergy_id}',
      form: 'object',
      query: ['at'],
      classes: ['Allergy', 'AllergyExclusion'],
    },
    get_app_manifest: {
      method: 'GET',
      path: '/apps/{descriptor}/manifest',
      form: 'json',
      query: [],
      classes: [],
    },
    get_app_manifests: {
      method: 'GET',
      path: '/apps/manifests/',
      form: 'json',
      query: [],
      classes: [],
    },
    get_clinical_note: {
      method: 'GET',
      path: '/records/{record_id}/clinical_notes/{clinical_note_id}',
      form: 'object',
      query: ['at'],
      classes: ['ClinicalNote'],
    },
    get_clinical_notes: {
      method: 'GET',
      path: '/records/{record_id}/clinical_notes/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['ClinicalNote'],
    },
    get_container_manifest: {
      method: 'GET',
      path: '/manifest',
      form: 'json',
      query: [],
      classes: [],
    },
    get_demographics: {
      method: 'GET',
      path: '/records/{record_id}/demographics',
      form: 'object',
      query: ['at'],
      classes: ['Demographics'],
      mayBeAbsent: true,
    },
    get_document: {
      method: 'GET',
      path: '/records/{record_id}/documents/{document_id}',
      form: 'document',
      query: ['at', 'format'],
      classes: ['Document'],
      format: 'raw',
    },
    get_documents: {
      method: 'GET',
      path: '/records/{record_id}/documents/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'format',
        'limit',
        'offset',
      ],
      classes: ['Document'],
    },
    get_encounter: {
      method: 'GET',
      path: '/records/{record_id}/encounters/{encounter_id}',
      form: 'object',
      query: ['at'],
      classes: ['Encounter'],
    },
    get_encounters: {
      method: 'GET',
      path: '/records/{record_id}/encounters/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['Encounter'],
    },
    get_export: {
      method: 'GET',
      path: '/apps/{app_id}/exports/{export_id}',
      form: 'json',
      query: [],
      classes: [],
    },
    get_export_file: {
      method: 'GET',
      path: '/apps/{app_id}/exports/{export_id}/files/{file}',
      form: 'file',
      query: [],
      classes: [],
    },
    get_exports: {
      method: 'GET',
      path: '/apps/{app_id}/exports',
      form: 'json',
      query: [],
      classes: [],
    },
    get_family_history_observation: {
      method: 'GET',
      path: '/records/{record_id}/family_history/{family_history_id}',
      form: 'object',
      query: ['at'],
      classes: ['FamilyHistory'],
    },
    get_family_history_observations: {
      method: 'GET',
      path: '/records/{record_id}/family_history/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['FamilyHistory'],
    },
    get_fulfillment: {
      method: 'GET',
      path: '/records/{record_id}/fulfillments/{fulfillment_id}',
      form: 'object',
      query: ['at'],
      classes: ['Fulfillment'],
    },
    get_fulfillments: {
      method: 'GET',
      path: '/records/{record_id}/fulfillments/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['Fulfillment'],
    },
    get_imaging_studies: {
      method: 'GET',
      path: '/records/{record_id}/imaging_studies/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['ImagingStudy'],
    },
    get_imaging_study: {
      method: 'GET',
      path: '/records/{record_id}/imaging_studies/{imaging_study_id}',
      form: 'object',
      query: ['at'],
      classes: ['ImagingStudy'],
    },
    get_immunization: {
      method: 'GET',
      path: '/records/{record_id}/immunizations/{immunization_id}',
      form: 'object',
      query: ['at'],
      classes: ['Immunization'],
    },
    get_immunizations: {
      method: 'GET',
      path: '/records/{record_id}/immunizations/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'limit',
        'offset',
      ],
      classes: ['Immunization'],
    },
    get_lab_panel: {
      method: 'GET',
      path: '/records/{record_id}/lab_panels/{lab_panel_id}',
      form: 'object',
      query: ['at'],
      classes: ['LabPanel'],
    },
    get_lab_panels: {
      method: 'GET',
      path: '/records/{record_id}/lab_panels/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['LabPanel'],
    },
    get_lab_result: {
      method: 'GET',
      path: '/records/{record_id}/lab_results/{lab_result_id}',
      form: 'object',
      query: ['at'],
      classes: ['LabResult'],
    },
    get_lab_results: {
      method: 'GET',
      path: '/records/{record_id}/lab_results/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'descendants',
        'limit',
        'loinc',
        'offset',
      ],
      classes: ['LabResult'],
    },
    get_medical_image: {
      method: 'GET',
      path: '/records/{record_id}/medical_images/{medical_image_id}',
      form: 'document',
      query: ['at', 'format'],
      classes: ['MedicalImage'],
      format: 'combined',
    },
    get_medical_images: {
      method: 'GET',
      path: '/records/{record_id}/medical_images/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'format',
        'limit',
        'offset',
      ],
      classes: ['MedicalImage'],
    },
    get_medication: {
      method: 'GET',
      path: '/records/{record_id}/medications/{medication_id}',
      form: 'object',
      query: ['at'],
      classes: ['Medication'],
    },
    get_medications: {
      method: 'GET',
      path: '/records/{record_id}/medications/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'descendants',
        'limit',
        'offset',
        'rxnorm',
      ],
      classes: ['Medication'],
    },
    get_ontology: {
      method: 'GET',
      path: '/ontology',
      form: 'graph',
      query: [],
      classes: [],
    },
    get_photograph: {
      method: 'GET',
      path: '/records/{record_id}/photograph',
      form: 'document',
      query: ['at', 'format'],
      classes: ['Photograph'],
      mayBeAbsent: true,
      format: 'combined',
    },
    get_problem: {
      method: 'GET',
      path: '/records/{record_id}/problems/{problem_id}',
      form: 'object',
      query: ['at'],
      classes: ['Problem'],
    },
    get_problems: {
      method: 'GET',
      path: '/records/{record_id}/problems/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'descendants',
        'limit',
        'offset',
        'snomed',
      ],
      classes: ['Problem'],
    },
    get_procedure: {
      method: 'GET',
      path: '/records/{record_id}/procedures/{procedure_id}',
      form: 'object',
      query: ['at'],
      classes: ['Procedure'],
    },
    get_procedures: {
      method: 'GET',
      path: '/records/{record_id}/procedures/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'descendants',
        'limit',
        'offset',
        'snomed',
      ],
      classes: ['Procedure'],
    },
    get_record: {
      method: 'GET',
      path: '/records/{record_id}',
      form: 'object',
      query: ['at'],
      classes: ['MedicalRecord'],
    },
    get_record_changes: {
      method: 'GET',
      path: '/records/{record_id}/changes',
      form: 'json',
      query: ['limit', 'since'],
      classes: [],
    },
    get_record_subscription: {
      method: 'GET',
      path: '/records/{record_id}/subscriptions/{subscription_id}',
      form: 'json',
      query: [],
      classes: [],
    },
    get_record_subscriptions: {
      method: 'GET',
      path: '/records/{record_id}/subscriptions',
      form: 'json',
      query: [],
      classes: [],
    },
    get_scratchpad_data: {
      method: 'GET',
      path: '/records/{record_id}/apps/{smart_app_id}/scratchpad',
      form: 'file',
      query: [],
      classes: [],
    },
    get_social_history: {
      method: 'GET',
      path: '/records/{record_id}/social_history',
      form: 'object',
      query: ['at'],
      classes: ['SocialHistory'],
      mayBeAbsent: true,
    },
    get_unmapped_allergies: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/allergies/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedAllergy'],
    },
    get_unmapped_allergy: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/allergies/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedAllergy'],
    },
    get_unmapped_imaging_studies: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/imaging_studies/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedImagingStudy'],
    },
    get_unmapped_imaging_study: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/imaging_studies/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedImagingStudy'],
    },
    get_unmapped_immunization: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/immunizations/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedImmunization'],
    },
    get_unmapped_immunizations: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/immunizations/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedImmunization'],
    },
    get_unmapped_lab_result: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/lab_results/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedLabResult'],
    },
    get_unmapped_lab_results: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/lab_results/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedLabResult'],
    },
    get_unmapped_medication: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/medications/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedMedication'],
    },
    get_unmapped_medications: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/medications/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedMedication'],
    },
    get_unmapped_problem: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/problems/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedProblem'],
    },
    get_unmapped_problems: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/problems/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedProblem'],
    },
    get_unmapped_procedure: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/procedures/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedProcedure'],
    },
    get_unmapped_procedures: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/procedures/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedProcedure'],
    },
    get_unmapped_vital_sign_set: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/vital_sign_sets/{unmapped_id}',
      form: 'object',
      query: ['at'],
      classes: ['UnmappedVitalSignSet'],
    },
    get_unmapped_vital_sign_sets: {
      method: 'GET',
      path: '/records/{record_id}/unmapped/vital_sign_sets/',
      form: 'list',
      query: ['at', 'limit', 'offset'],
      classes: ['UnmappedVitalSignSet'],
    },
    get_user: {
      method: 'GET',
      path: '/users/{user_id}',
      form: 'object',
      query: [],
      classes: ['User'],
    },
    get_user_preferences: {
      method: 'GET',
      path: '/users/{user_id}/apps/{smart_app_id}/preferences',
      form: 'file',
      query: [],
      classes: [],
    },
    get_vital_sign_set: {
      method: 'GET',
      path: '/records/{record_id}/vital_sign_sets/{vital_sign_set_id}',
      form: 'object',
      query: ['at'],
      classes: ['VitalSignSet'],
    },
    get_vital_sign_sets: {
      method: 'GET',
      path: '/records/{record_id}/vital_sign_sets/',
      form: 'list',
      query: [
        'at',
        'date_from',
        'date_from_excluding',
        'date_from_including',
        'date_to',
        'date_to_excluding',
        'date_to_including',
        'descendants',
        'encounter_type',
        'limit',
        'offset',
      ],
      classes: ['VitalSignSet'],
    },
    post_clinical_note: {
      method: 'POST',
      path: '/records/{record_id}/clinical_notes/',
      form: 'posted',
      query: [],
      classes: ['ClinicalNote'],
    },
    post_export: {
      method: 'POST',
      path: '/apps/{app_id}/exports',
      form: 'sent',
      query: [],
      classes: [],
    },
    post_record_subscription: {
      method: 'POST',
      path: '/records/{record_id}/subscriptions',
      form: 'sent',
      query: [],
      classes: [],
    },
    put_record_subscription: {
      method: 'PUT',
      path: '/records/{record_id}/subscriptions/{subscription_id}',
      form: 'sent',
      query: [],
      classes: [],
    },
    put_scratchpad_data: {
      method: 'PUT',
      path: '/records/{record_id}/apps/{smart_app_id}/scratchpad',
      form: 'stored',
      query: [],
      classes: [],
    },
    put_user_preferences: {
      method: 'PUT',
      path: '/users/{user_id}/apps/{smart_app_id}/preferences',
      form: 'stored',
      query: [],
      classes: [],
    },
    search_records: {
      method: 'GET',
      path: '/records/search',
      form: 'list',
      query: [
        'date_of_birth',
        'family_name',
        'gender',
        'given_name',
        'limit',
        'medical_record_number',
        'offset',
        'zipcode',
      ],
      classes: ['Demographics'],
    },
    search_users: {
      method: 'GET',
      path: '/users/search',
      form: 'list',
      query: ['family_name', 'given_name', 'limit', 'name', 'offset'],
      classes: ['User'],
    },
  },
  classes: {
    MediaTypeOrExtent: {
      iri: 'dcterms:MediaTypeOrExtent',
      addressed: false,
      above: [],
      properties: {
        label: { iri: 'rdfs:label', is: 'one', value: 'text' },
      },
    },
    Allergy: {
      iri: 'sp:Allergy',
      addressed: true,
      above: ['Statement'],
      properties: {
        allergicReaction: {
          iri: 'sp:allergicReaction',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:SNOMED',
        },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        category: {
          iri: 'sp:category',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:AllergyCategory',
        },
        drugAllergen: {
          iri: 'sp:drugAllergen',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:RxNorm_Ingredient',
        },
        drugClassAllergen: {
          iri: 'sp:drugClassAllergen',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:NDFRT',
        },
        endDate: { iri: 'sp:endDate', is: 'maybe', value: 'text' },
        otherAllergen: {
          iri: 'sp:otherAllergen',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'cg:OtherAllergenCode',
        },
        severity: {
          iri: 'sp:severity',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:AllergySeverity',
        },
        startDate: { iri: 'sp:startDate', is: 'one', value: 'text' },
      },
    },
    AllergyExclusion: {
      iri: 'sp:AllergyExclusion',
      addressed: true,
      above: ['Statement'],
      properties: {
        allergyExclusionName: {
          iri: 'sp:allergyExclusionName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:AllergyExclusion',
        },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
      },
    },
    Attribution: {
      iri: 'sp:Attribution',
      addressed: false,
      above: [],
      properties: {
        endDate: { iri: 'sp:endDate', is: 'maybe', value: 'text' },
        participant: { iri: 'sp:participant', is: 'maybe', value: 'node', classes: ['Participant'] },
        startDate: { iri: 'sp:startDate', is: 'maybe', value: 'text' },
      },
    },
    BloodPressure: {
      iri: 'sp:BloodPressure',
      addressed: false,
      above: [],
      properties: {
        bodyPosition: {
          iri: 'sp:bodyPosition',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:BloodPressureBodyPosition',
        },
        bodySite: {
          iri: 'sp:bodySite',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:BloodPressureBodySite',
        },
        diastolic: { iri: 'sp:diastolic', is: 'one', value: 'node', classes: ['VitalSign'] },
        method: {
          iri: 'sp:method',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:BloodPressureMethod',
        },
        systolic: { iri: 'sp:systolic', is: 'one', value: 'node', classes: ['VitalSign'] },
      },
    },
    ClinicalNote: {
      iri: 'sp:ClinicalNote',
      addressed: true,
      above: ['Document', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        documentType: {
          iri: 'sp:documentType',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:DocumentType',
        },
        fileName: { iri: 'sp:fileName', is: 'maybe', value: 'text' },
        fileSize: { iri: 'sp:fileSize', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        resource: { iri: 'sp:resource', is: 'one', value: 'node', classes: ['Resource'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        format: { iri: 'dcterms:format', is: 'one', value: 'node', classes: ['MediaTypeOrExtent'] },
        title: { iri: 'dcterms:title', is: 'maybe', value: 'text' },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
      },
    },
    CodeProvenance: {
      iri: 'sp:CodeProvenance',
      addressed: false,
      above: [],
      properties: {
        sourceCode: { iri: 'sp:sourceCode', is: 'one', value: 'text' },
        translationFidelity: {
          iri: 'sp:translationFidelity',
          is: 'maybe',
          value: 'code',
          codes: 'spcode:TranslationFidelity',
        },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
      },
    },
    CodedValue: {
      iri: 'sp:CodedValue',
      addressed: false,
      above: [],
      properties: {
        code: { iri: 'sp:code', is: 'one', value: 'code' },
        provenance: { iri: 'sp:provenance', is: 'many', value: 'node', classes: ['CodeProvenance'] },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
      },
    },
    Content: {
      iri: 'sp:Content',
      addressed: false,
      above: [],
      properties: {
        encoding: { iri: 'sp:encoding', is: 'one', value: 'text' },
        value: { iri: 'sp:value', is: 'one', value: 'text' },
      },
    },
    Demographics: {
      iri: 'sp:Demographics',
      addressed: true,
      above: ['Statement', 'Person', 'VCard'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        ethnicity: { iri: 'sp:ethnicity', is: 'maybe', value: 'text' },
        gestationalAgeAtBirth: {
          iri: 'sp:gestationalAgeAtBirth',
          is: 'maybe',
          value: 'node',
          classes: ['ValueAndUnit'],
        },
        medicalRecordNumber: { iri: 'sp:medicalRecordNumber', is: 'many', value: 'code' },
        preferredLanguage: { iri: 'sp:preferredLanguage', is: 'maybe', value: 'text' },
        race: { iri: 'sp:race', is: 'maybe', value: 'text' },
        adr: { iri: 'v:adr', is: 'many', value: 'node', classes: ['Address'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
        email: { iri: 'v:email', is: 'many', value: 'text' },
        n: { iri: 'v:n', is: 'one', value: 'node', classes: ['Name'] },
        tel: { iri: 'v:tel', is: 'many', value: 'node', classes: ['Tel'] },
        gender: { iri: 'foaf:gender', is: 'one', value: 'text' },
        deceased: { iri: 'cg:deceased', is: 'maybe', value: 'text' },
        replacedBy: { iri: 'cg:replacedBy', is: 'maybe', value: 'text' },
        replaces: { iri: 'cg:replaces', is: 'many', value: 'text' },
      },
    },
    Document: {
      iri: 'sp:Document',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        documentType: {
          iri: 'sp:documentType',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:DocumentType',
        },
        fileName: { iri: 'sp:fileName', is: 'maybe', value: 'text' },
        fileSize: { iri: 'sp:fileSize', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        resource: { iri: 'sp:resource', is: 'one', value: 'node', classes: ['Resource'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        format: { iri: 'dcterms:format', is: 'one', value: 'node', classes: ['MediaTypeOrExtent'] },
        title: { iri: 'dcterms:title', is: 'maybe', value: 'text' },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
      },
    },
    Encounter: {
      iri: 'sp:Encounter',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        encounterType: {
          iri: 'sp:encounterType',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:EncounterType',
        },
        endDate: { iri: 'sp:endDate', is: 'maybe', value: 'text' },
        facility: { iri: 'sp:facility', is: 'maybe', value: 'node', classes: ['Organization'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        startDate: { iri: 'sp:startDate', is: 'one', value: 'text' },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
        visitReason: { iri: 'cg:visitReason', is: 'maybe', value: 'text' },
        visitType: { iri: 'cg:visitType', is: 'maybe', value: 'text' },
      },
    },
    FamilyHistory: {
      iri: 'sp:FamilyHistory',
      addressed: true,
      above: ['Statement'],
      properties: {
        aboutRelative: {
          iri: 'sp:aboutRelative',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:SNOMED',
        },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        hasProblem: {
          iri: 'sp:hasProblem',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:SNOMED',
        },
        height: { iri: 'sp:height', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
      },
    },
    Fulfillment: {
      iri: 'sp:Fulfillment',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        dispenseDaysSupply: { iri: 'sp:dispenseDaysSupply', is: 'one', value: 'text' },
        medication: { iri: 'sp:medication', is: 'one', value: 'node', classes: ['Medication'] },
        pbm: { iri: 'sp:pbm', is: 'maybe', value: 'text' },
        pharmacy: { iri: 'sp:pharmacy', is: 'maybe', value: 'node', classes: ['Pharmacy'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        quantityDispensed: {
          iri: 'sp:quantityDispensed',
          is: 'maybe',
          value: 'node',
          classes: ['ValueAndUnit'],
        },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    Hash: {
      iri: 'sp:Hash',
      addressed: false,
      above: [],
      properties: {
        algorithm: { iri: 'sp:algorithm', is: 'one', value: 'text' },
        value: { iri: 'sp:value', is: 'one', value: 'text' },
      },
    },
    ImagingStudy: {
      iri: 'sp:ImagingStudy',
      addressed: true,
      above: ['Statement'],
      properties: {
        accessionNumber: { iri: 'sp:accessionNumber', is: 'maybe', value: 'text' },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        modality: {
          iri: 'sp:modality',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ModalityType',
        },
        series: { iri: 'sp:series', is: 'many', value: 'node', classes: ['Series'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
      },
    },
    Immunization: {
      iri: 'sp:Immunization',
      addressed: true,
      above: ['Statement'],
      properties: {
        administrationStatus: {
          iri: 'sp:administrationStatus',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ImmunizationAdministrationStatus',
        },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        productClass: {
          iri: 'sp:productClass',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ImmunizationClass',
        },
        productName: {
          iri: 'sp:productName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ImmunizationProduct',
        },
        refusalReason: {
          iri: 'sp:refusalReason',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ImmunizationRefusalReason',
        },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
      },
    },
    LabPanel: {
      iri: 'sp:LabPanel',
      addressed: true,
      above: ['Panel', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        labName: {
          iri: 'sp:labName',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:LOINC',
        },
        labResult: { iri: 'sp:labResult', is: 'many', value: 'node', classes: ['LabResult'] },
        performerName: { iri: 'cg:performerName', is: 'maybe', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    LabResult: {
      iri: 'sp:LabResult',
      addressed: true,
      above: ['Statement'],
      properties: {
        abnormalInterpretation: {
          iri: 'sp:abnormalInterpretation',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:LabResultInterpretation',
        },
        accessionNumber: { iri: 'sp:accessionNumber', is: 'maybe', value: 'text' },
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        labName: {
          iri: 'sp:labName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:LOINC',
        },
        labStatus: {
          iri: 'sp:labStatus',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:LabResultStatus',
        },
        narrativeResult: {
          iri: 'sp:narrativeResult',
          is: 'maybe',
          value: 'node',
          classes: ['NarrativeResult'],
        },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        quantitativeResult: {
          iri: 'sp:quantitativeResult',
          is: 'maybe',
          value: 'node',
          classes: ['QuantitativeResult'],
        },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        performerName: { iri: 'cg:performerName', is: 'maybe', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    MedicalImage: {
      iri: 'sp:MedicalImage',
      addressed: true,
      above: ['Document', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        dicomImageUID: { iri: 'sp:dicomImageUID', is: 'maybe', value: 'text' },
        dicomSeriesUID: { iri: 'sp:dicomSeriesUID', is: 'maybe', value: 'text' },
        dicomStudyUID: { iri: 'sp:dicomStudyUID', is: 'maybe', value: 'text' },
        documentType: {
          iri: 'sp:documentType',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:DocumentType',
        },
        fileName: { iri: 'sp:fileName', is: 'maybe', value: 'text' },
        fileSize: { iri: 'sp:fileSize', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        imagingStudy: { iri: 'sp:imagingStudy', is: 'one', value: 'node', classes: ['ImagingStudy'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        resource: { iri: 'sp:resource', is: 'one', value: 'node', classes: ['Resource'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        format: { iri: 'dcterms:format', is: 'one', value: 'node', classes: ['MediaTypeOrExtent'] },
        title: { iri: 'dcterms:title', is: 'maybe', value: 'text' },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
      },
    },
    MedicalRecord: {
      iri: 'sp:MedicalRecord',
      addressed: true,
      above: [],
      properties: {
        hasStatement: { iri: 'sp:hasStatement', is: 'many', value: 'node', classes: ['Statement'] },
      },
    },
    Medication: {
      iri: 'sp:Medication',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        drugName: {
          iri: 'sp:drugName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:RxNorm_Semantic',
        },
        endDate: { iri: 'sp:endDate', is: 'maybe', value: 'text' },
        frequency: { iri: 'sp:frequency', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        fulfillment: { iri: 'sp:fulfillment', is: 'many', value: 'node', classes: ['Fulfillment'] },
        instructions: { iri: 'sp:instructions', is: 'one', value: 'text' },
        provenance: { iri: 'sp:provenance', is: 'many', value: 'code' },
        quantity: { iri: 'sp:quantity', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        startDate: { iri: 'sp:startDate', is: 'one', value: 'text' },
        medicationStatus: {
          iri: 'cg:medicationStatus',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'cg:MedicationStatus',
        },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
      },
    },
    NarrativeResult: {
      iri: 'sp:NarrativeResult',
      addressed: false,
      above: [],
      properties: {
        value: { iri: 'sp:value', is: 'one', value: 'text' },
      },
    },
    Organization: {
      iri: 'sp:Organization',
      addressed: false,
      above: [],
      properties: {
        adr: { iri: 'v:adr', is: 'maybe', value: 'node', classes: ['Address'] },
        organization_name: { iri: 'v:organization-name', is: 'maybe', value: 'text' },
      },
    },
    Panel: {
      iri: 'sp:Panel',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
      },
    },
    Participant: {
      iri: 'sp:Participant',
      addressed: false,
      above: [],
      properties: {
        organization: { iri: 'sp:organization', is: 'maybe', value: 'node', classes: ['Organization'] },
        person: { iri: 'sp:person', is: 'maybe', value: 'node', classes: ['Person'] },
        role: { iri: 'sp:role', is: 'maybe', value: 'text' },
      },
    },
    Person: {
      iri: 'sp:Person',
      addressed: false,
      above: ['VCard'],
      properties: {
        ethnicity: { iri: 'sp:ethnicity', is: 'maybe', value: 'text' },
        preferredLanguage: { iri: 'sp:preferredLanguage', is: 'maybe', value: 'text' },
        race: { iri: 'sp:race', is: 'maybe', value: 'text' },
        adr: { iri: 'v:adr', is: 'many', value: 'node', classes: ['Address'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
        email: { iri: 'v:email', is: 'many', value: 'text' },
        n: { iri: 'v:n', is: 'one', value: 'node', classes: ['Name'] },
        tel: { iri: 'v:tel', is: 'many', value: 'node', classes: ['Tel'] },
        gender: { iri: 'foaf:gender', is: 'maybe', value: 'text' },
      },
    },
    Pharmacy: {
      iri: 'sp:Pharmacy',
      addressed: false,
      above: ['Organization'],
      properties: {
        ncpdpId: { iri: 'sp:ncpdpId', is: 'maybe', value: 'text' },
        adr: { iri: 'v:adr', is: 'maybe', value: 'node', classes: ['Address'] },
        organization_name: { iri: 'v:organization-name', is: 'maybe', value: 'text' },
      },
    },
    Photograph: {
      iri: 'sp:Photograph',
      addressed: true,
      above: ['Document', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        documentType: {
          iri: 'sp:documentType',
          is: 'many',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:DocumentType',
        },
        fileName: { iri: 'sp:fileName', is: 'maybe', value: 'text' },
        fileSize: { iri: 'sp:fileSize', is: 'maybe', value: 'node', classes: ['ValueAndUnit'] },
        provider: { iri: 'sp:provider', is: 'maybe', value: 'node', classes: ['Provider'] },
        resource: { iri: 'sp:resource', is: 'one', value: 'node', classes: ['Resource'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        format: { iri: 'dcterms:format', is: 'one', value: 'node', classes: ['MediaTypeOrExtent'] },
        title: { iri: 'dcterms:title', is: 'maybe', value: 'text' },
        providerName: { iri: 'cg:providerName', is: 'maybe', value: 'text' },
      },
    },
    Problem: {
      iri: 'sp:Problem',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        encounters: { iri: 'sp:encounters', is: 'many', value: 'node', classes: ['Encounter'] },
        endDate: { iri: 'sp:endDate', is: 'maybe', value: 'text' },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        problemName: {
          iri: 'sp:problemName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:SNOMED',
        },
        problemStatus: {
          iri: 'sp:problemStatus',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ProblemStatus',
        },
        startDate: { iri: 'sp:startDate', is: 'one', value: 'text' },
      },
    },
    Procedure: {
      iri: 'sp:Procedure',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        procedureName: {
          iri: 'sp:procedureName',
          is: 'one',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:Procedure',
        },
        procedureStatus: {
          iri: 'sp:procedureStatus',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ProcedureStatus',
        },
        provider: { iri: 'sp:provider', is: 'many', value: 'node', classes: ['Provider'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    Provider: {
      iri: 'sp:Provider',
      addressed: false,
      above: ['Person', 'VCard'],
      properties: {
        deaNumber: { iri: 'sp:deaNumber', is: 'maybe', value: 'text' },
        ethnicity: { iri: 'sp:ethnicity', is: 'maybe', value: 'text' },
        npiNumber: { iri: 'sp:npiNumber', is: 'maybe', value: 'text' },
        preferredLanguage: { iri: 'sp:preferredLanguage', is: 'maybe', value: 'text' },
        race: { iri: 'sp:race', is: 'maybe', value: 'text' },
        adr: { iri: 'v:adr', is: 'many', value: 'node', classes: ['Address'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
        email: { iri: 'v:email', is: 'many', value: 'text' },
        n: { iri: 'v:n', is: 'one', value: 'node', classes: ['Name'] },
        tel: { iri: 'v:tel', is: 'many', value: 'node', classes: ['Tel'] },
        gender: { iri: 'foaf:gender', is: 'maybe', value: 'text' },
      },
    },
    QuantitativeResult: {
      iri: 'sp:QuantitativeResult',
      addressed: false,
      above: [],
      properties: {
        nonCriticalRange: { iri: 'sp:nonCriticalRange', is: 'maybe', value: 'node', classes: ['ValueRange'] },
        normalRange: { iri: 'sp:normalRange', is: 'maybe', value: 'node', classes: ['ValueRange'] },
        valueAndUnit: { iri: 'sp:valueAndUnit', is: 'one', value: 'node', classes: ['ValueAndUnit'] },
      },
    },
    Resource: {
      iri: 'sp:Resource',
      addressed: false,
      above: [],
      properties: {
        content: { iri: 'sp:content', is: 'maybe', value: 'node', classes: ['Content'] },
        hash: { iri: 'sp:hash', is: 'maybe', value: 'node', classes: ['Hash'] },
        location: { iri: 'sp:location', is: 'maybe', value: 'text' },
      },
    },
    Series: {
      iri: 'sp:Series',
      addressed: false,
      above: [],
      properties: {
        images: { iri: 'sp:images', is: 'one', value: 'list' },
        modality: {
          iri: 'sp:modality',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:ModalityType',
        },
        title: { iri: 'dcterms:title', is: 'maybe', value: 'text' },
      },
    },
    SocialHistory: {
      iri: 'sp:SocialHistory',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        smokingStatus: {
          iri: 'sp:smokingStatus',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:SmokingStatus',
        },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    Statement: {
      iri: 'sp:Statement',
      addressed: true,
      above: [],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
      },
    },
    User: {
      iri: 'sp:User',
      addressed: true,
      above: ['Person', 'VCard'],
      properties: {
        department: { iri: 'sp:department', is: 'maybe', value: 'text' },
        ethnicity: { iri: 'sp:ethnicity', is: 'maybe', value: 'text' },
        preferredLanguage: { iri: 'sp:preferredLanguage', is: 'maybe', value: 'text' },
        race: { iri: 'sp:race', is: 'maybe', value: 'text' },
        role: { iri: 'sp:role', is: 'maybe', value: 'text' },
        adr: { iri: 'v:adr', is: 'many', value: 'node', classes: ['Address'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
        email: { iri: 'v:email', is: 'many', value: 'text' },
        n: { iri: 'v:n', is: 'one', value: 'node', classes: ['Name'] },
        tel: { iri: 'v:tel', is: 'many', value: 'node', classes: ['Tel'] },
        gender: { iri: 'foaf:gender', is: 'maybe', value: 'text' },
      },
    },
    ValueAndUnit: {
      iri: 'sp:ValueAndUnit',
      addressed: false,
      above: [],
      properties: {
        unit: { iri: 'sp:unit', is: 'one', value: 'text' },
        value: { iri: 'sp:value', is: 'one', value: 'text' },
      },
    },
    ValueRange: {
      iri: 'sp:ValueRange',
      addressed: false,
      above: [],
      properties: {
        maximum: { iri: 'sp:maximum', is: 'one', value: 'node', classes: ['ValueAndUnit'] },
        minimum: { iri: 'sp:minimum', is: 'one', value: 'node', classes: ['ValueAndUnit'] },
      },
    },
    ValueRatio: {
      iri: 'sp:ValueRatio',
      addressed: false,
      above: [],
      properties: {
        denominator: { iri: 'sp:denominator', is: 'one', value: 'node', classes: ['ValueAndUnit'] },
        numerator: { iri: 'sp:numerator', is: 'one', value: 'node', classes: ['ValueAndUnit'] },
      },
    },
    VitalSign: {
      iri: 'sp:VitalSign',
      addressed: false,
      above: ['ValueAndUnit'],
      properties: {
        unit: { iri: 'sp:unit', is: 'one', value: 'text' },
        value: { iri: 'sp:value', is: 'one', value: 'text' },
        vitalName: {
          iri: 'sp:vitalName',
          is: 'maybe',
          value: 'node',
          classes: ['CodedValue'],
          codes: 'spcode:VitalSign',
        },
      },
    },
    VitalSignSet: {
      iri: 'sp:VitalSignSet',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        bloodPressure: { iri: 'sp:bloodPressure', is: 'maybe', value: 'node', classes: ['BloodPressure'] },
        bodyMassIndex: { iri: 'sp:bodyMassIndex', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        encounter: { iri: 'sp:encounter', is: 'one', value: 'node', classes: ['Encounter'] },
        headCircumference: {
          iri: 'sp:headCircumference',
          is: 'maybe',
          value: 'node',
          classes: ['VitalSign'],
        },
        heartRate: { iri: 'sp:heartRate', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        height: { iri: 'sp:height', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        oxygenSaturation: { iri: 'sp:oxygenSaturation', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        respiratoryRate: { iri: 'sp:respiratoryRate', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        temperature: { iri: 'sp:temperature', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        weight: { iri: 'sp:weight', is: 'maybe', value: 'node', classes: ['VitalSign'] },
        date: { iri: 'dcterms:date', is: 'one', value: 'text' },
        sourceStatus: { iri: 'cg:sourceStatus', is: 'maybe', value: 'text' },
      },
    },
    ResponseSummary: {
      iri: 'api:ResponseSummary',
      addressed: false,
      above: [],
      properties: {
        nextPageURL: { iri: 'api:nextPageURL', is: 'maybe', value: 'text' },
        processingTimeMs: { iri: 'api:processingTimeMs', is: 'maybe', value: 'text' },
        resultOrder: { iri: 'api:resultOrder', is: 'maybe', value: 'list' },
        resultsReturned: { iri: 'api:resultsReturned', is: 'one', value: 'text' },
        totalResultCount: { iri: 'api:totalResultCount', is: 'one', value: 'text' },
      },
    },
    Address: {
      iri: 'v:Address',
      addressed: false,
      above: [],
      properties: {
        country_name: { iri: 'v:country-name', is: 'maybe', value: 'text' },
        extended_address: { iri: 'v:extended-address', is: 'maybe', value: 'text' },
        locality: { iri: 'v:locality', is: 'maybe', value: 'text' },
        postal_code: { iri: 'v:postal-code', is: 'maybe', value: 'text' },
        region: { iri: 'v:region', is: 'maybe', value: 'text' },
        street_address: { iri: 'v:street-address', is: 'maybe', value: 'text' },
      },
    },
    Name: {
      iri: 'v:Name',
      addressed: false,
      above: [],
      properties: {
        additional_name: { iri: 'v:additional-name', is: 'many', value: 'text' },
        family_name: { iri: 'v:family-name', is: 'one', value: 'text' },
        given_name: { iri: 'v:given-name', is: 'one', value: 'text' },
        honorific_prefix: { iri: 'v:honorific-prefix', is: 'many', value: 'text' },
        honorific_suffix: { iri: 'v:honorific-suffix', is: 'many', value: 'text' },
      },
    },
    Tel: {
      iri: 'v:Tel',
      addressed: false,
      above: [],
      properties: {
        value: { iri: 'rdf:value', is: 'one', value: 'text' },
      },
    },
    VCard: {
      iri: 'v:VCard',
      addressed: false,
      above: [],
      properties: {
        adr: { iri: 'v:adr', is: 'many', value: 'node', classes: ['Address'] },
        bday: { iri: 'v:bday', is: 'maybe', value: 'text' },
        deathdate: { iri: 'v:deathdate', is: 'maybe', value: 'text' },
        email: { iri: 'v:email', is: 'many', value: 'text' },
        n: { iri: 'v:n', is: 'one', value: 'node', classes: ['Name'] },
        tel: { iri: 'v:tel', is: 'many', value: 'node', classes: ['Tel'] },
      },
    },
    Unmapped: {
      iri: 'cg:Unmapped',
      addressed: true,
      above: ['Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedAllergy: {
      iri: 'cg:UnmappedAllergy',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedImagingStudy: {
      iri: 'cg:UnmappedImagingStudy',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedImmunization: {
      iri: 'cg:UnmappedImmunization',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedLabResult: {
      iri: 'cg:UnmappedLabResult',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedMedication: {
      iri: 'cg:UnmappedMedication',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedProblem: {
      iri: 'cg:UnmappedProblem',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedProcedure: {
      iri: 'cg:UnmappedProcedure',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
    UnmappedVitalSignSet: {
      iri: 'cg:UnmappedVitalSignSet',
      addressed: true,
      above: ['Unmapped', 'Statement'],
      properties: {
        belongsTo: { iri: 'sp:belongsTo', is: 'one', value: 'node', classes: ['MedicalRecord'] },
        notes: { iri: 'sp:notes', is: 'maybe', value: 'text' },
        date: { iri: 'dcterms:date', is: 'maybe', value: 'text' },
        title: { iri: 'dcterms:title', is: 'one', value: 'text' },
        recordedCode: { iri: 'cg:recordedCode', is: 'many', value: 'text' },
        recordedStatus: { iri: 'cg:recordedStatus', is: 'maybe', value: 'text' },
        whyUnmapped: { iri: 'cg:whyUnmapped', is: 'one', value: 'text' },
      },
    },
  },
};

/**
 * Makes a client of a container.
 * @throws TypeError for settings that cannot be used
 */
export function createClient(settings: ClientSettings): Client {
  return connect(model, settings);
}

/** What the analysis `co_medication` takes. */
export interface CoMedicationParameters {
  /**
   * How many patients must take both for a pair to be listed.
   * When left out: 1.
   */
  readonly least?: number;
}

/** What the analysis `condition_without_drug` takes. */
export interface ConditionWithoutDrugParameters {
  /**
   * The condition, a SNOMED CT concept.
   * When left out: 59621000.
   */
  readonly condition?: string;
  /**
   * The drug, an RxNorm concept.
   * When left out: 314076.
   */
  readonly drug?: string;
}

/** What the analysis `encounters_by_month` takes. */
export interface EncountersByMonthParameters {
  /**
   * The first day that counts.
   * When left out: 1900.
   */
  readonly since?: string;
  /**
   * The day before which encounters count.
   * When left out: 2100.
   */
  readonly until?: string;
}

/** What the analysis `frequent_problems` takes. */
export interface FrequentProblemsParameters {
  /**
   * How many patients a condition must have to be listed.
   * When left out: 1.
   */
  readonly least?: number;
}

/** What the analysis `kinds_of_condition` takes. */
export interface KindsOfConditionParameters {
  /**
   * The condition, a SNOMED CT concept.
   * When left out: 73211009.
   */
  readonly condition?: string;
}

/** What the analysis `lab_trend` takes. */
export interface LabTrendParameters {
  /**
   * The test, a LOINC code.
   * When left out: 4548-4.
   */
  readonly test?: string;
  /**
   * The unit, in UCUM.
   * When left out: %.
   */
  readonly unit?: string;
  /**
   * The first day that counts.
   * When left out: 1900.
   */
  readonly since?: string;
}

/** What the analysis `latest_lab_values` takes. */
export interface LatestLabValuesParameters {
  /**
   * The test, a LOINC code.
   * When left out: 4548-4.
   */
  readonly test?: string;
}

/** The analyses of a container: a method for each. */
export interface Analyses {
  /**
   * How often a laboratory test is abnormal.
   * Results of each test that were judged, how many of them as anything but normal, and of how many patients. Results that are kept in words (cg:UnmappedLabResult) are not counted; record_contents says how many records have any.
   * `GET /analyses/abnormal_results`
   */
  readonly abnormal_results: AnalysisMethod<
    NoParameters,
    'code' | 'test' | 'judged' | 'abnormal' | 'patients'
  >;
  /**
   * Patients by age and gender.
   * How many patients there are of each ten years of age, from the year of birth to the present one. At the de-identified level, years of birth are moved by up to a year, and who is older than 89 is in one group.
   * `GET /analyses/age_pyramid`
   */
  readonly age_pyramid: AnalysisMethod<NoParameters, 'age' | 'gender' | 'patients'>;
  /**
   * Drugs that the same patients take.
   * Pairs of drugs, by their codes, of which neither is known to be over, and how many patients take both. Medications that are kept in words (cg:UnmappedMedication) are not counted; record_contents says how many records have any.
   * `GET /analyses/co_medication`
   */
  readonly co_medication: AnalysisMethod<
    CoMedicationParameters,
    'drug' | 'other' | 'drugName' | 'otherName' | 'patients'
  >;
  /**
   * Where codes were translated from.
   * Codes that were translated from another system, each with the source, how far the translation can be relied on, and how many values came of it.
   * `GET /analyses/code_provenance`
   */
  readonly code_provenance: AnalysisMethod<NoParameters, 'source' | 'fidelity' | 'code' | 'values'>;
  /**
   * Patients who have a condition and take none of a drug.
   * Who has the condition, not known to be over, and has no medication of the drug that is not over: the patients that a reminder could be for. Problems and medications that are kept in words (cg:Unmapped) are not known here: such a patient may take the drug. record_contents says how many records have any.
   * `GET /analyses/condition_without_drug`
   */
  readonly condition_without_drug: AnalysisMethod<ConditionWithoutDrugParameters, 'record' | 'since'>;
  /**
   * Statements that are in a record twice.
   * Statements of one record, of the same class, with the same code under the same property and on the same date: perhaps one and the same, loaded from two sources.
   * `GET /analyses/duplicates`
   */
  readonly duplicates: AnalysisMethod<
    NoParameters,
    'record' | 'class' | 'property' | 'code' | 'date' | 'copies'
  >;
  /**
   * Encounters by month.
   * How many encounters began in each month, and of how many patients. What is known by its year alone is left out.
   * `GET /analyses/encounters_by_month`
   */
  readonly encounters_by_month: AnalysisMethod<
    EncountersByMonthParameters,
    'month' | 'encounters' | 'patients'
  >;
  /**
   * Encounters by type.
   * Which kinds of encounters there were, how many of each, and of how many patients.
   * `GET /analyses/encounters_by_type`
   */
  readonly encounters_by_type: AnalysisMethod<NoParameters, 'type' | 'encounters' | 'patients'>;
  /**
   * The most frequent conditions.
   * How many patients have or had each condition, by its code; of several titles of a code the first is shown. Problems that are kept in words (cg:UnmappedProblem) have no code and are not counted; record_contents says how many records have any.
   * `GET /analyses/frequent_problems`
   */
  readonly frequent_problems: AnalysisMethod<FrequentProblemsParameters, 'code' | 'condition' | 'patients'>;
  /**
   * A condition with all its kinds.
   * How many patients have or had the condition or anything below it in the hierarchy of its codes, code by code. Problems that are kept in words (cg:UnmappedProblem) have no code and are not counted; record_contents says how many records have any.
   * `GET /analyses/kinds_of_condition`
   */
  readonly kinds_of_condition: AnalysisMethod<KindsOfConditionParameters, 'code' | 'kind' | 'patients'>;
  /**
   * How the values of a laboratory test went over the years.
   * The mean, the least and the greatest value of each year, over all patients. Values with another unit and those that are no number are left out. Results that are kept in words (cg:UnmappedLabResult) are not counted; record_contents says how many records have any.
   * `GET /analyses/lab_trend`
   */
  readonly lab_trend: AnalysisMethod<
    LabTrendParameters,
    'year' | 'results' | 'patients' | 'mean' | 'least' | 'greatest'
  >;
  /**
   * The latest value of a laboratory test of each patient.
   * One row a patient who had the test: the value, its unit and its date. Hemoglobin A1c unless another test is asked for. Results that are kept in words (cg:UnmappedLabResult) are not shown; record_contents says how many records have any.
   * `GET /analyses/latest_lab_values`
   */
  readonly latest_lab_values: AnalysisMethod<LatestLabValuesParameters, 'record' | 'date' | 'value' | 'unit'>;
  /**
   * Coded values without a code.
   * Where a text was recorded and no code that stands for it: by the class of the statement, the property and the text.
   * `GET /analyses/missing_codes`
   */
  readonly missing_codes: AnalysisMethod<NoParameters, 'class' | 'property' | 'title' | 'values'>;
  /**
   * What records hold.
   * How many statements there are of each class, and in how many records. What could not become a statement of its class and is kept in words has classes of its own, such as Unmapped Problem.
   * `GET /analyses/record_contents`
   */
  readonly record_contents: AnalysisMethod<NoParameters, 'class' | 'name' | 'statements' | 'records'>;
  /**
   * Who was vaccinated.
   * How many patients got a vaccine of each group, of all patients. Vaccinations that are kept in words (cg:UnmappedImmunization) are not counted; record_contents says how many records have any.
   * `GET /analyses/vaccination_coverage`
   */
  readonly vaccination_coverage: AnalysisMethod<NoParameters, 'group' | 'vaccine' | 'patients' | 'of'>;
}

/** The analyses, as clients work with them. */
export const analyses: ApiModel<Analyses> = {
  calls: {
    abnormal_results: {
      method: 'GET',
      path: '/analyses/abnormal_results',
      form: 'table',
      query: [],
      classes: [],
    },
    age_pyramid: {
      method: 'GET',
      path: '/analyses/age_pyramid',
      form: 'table',
      query: [],
      classes: [],
    },
    co_medication: {
      method: 'GET',
      path: '/analyses/co_medication',
      form: 'table',
      query: ['least'],
      classes: [],
    },
    code_provenance: {
      method: 'GET',
      path: '/analyses/code_provenance',
      form: 'table',
      query: [],
      classes: [],
    },
    condition_without_drug: {
      method: 'GET',
      path: '/analyses/condition_without_drug',
      form: 'table',
      query: ['condition', 'drug'],
      classes: [],
    },
    duplicates: {
      method: 'GET',
      path: '/analyses/duplicates',
      form: 'table',
      query: [],
      classes: [],
    },
    encounters_by_month: {
      method: 'GET',
      path: '/analyses/encounters_by_month',
      form: 'table',
      query: ['since', 'until'],
      classes: [],
    },
    encounters_by_type: {
      method: 'GET',
      path: '/analyses/encounters_by_type',
      form: 'table',
      query: [],
      classes: [],
    },
    frequent_problems: {
      method: 'GET',
      path: '/analyses/frequent_problems',
      form: 'table',
      query: ['least'],
      classes: [],
    },
    kinds_of_condition: {
      method: 'GET',
      path: '/analyses/kinds_of_condition',
      form: 'table',
      query: ['condition'],
      classes: [],
    },
    lab_trend: {
      method: 'GET',
      path: '/analyses/lab_trend',
      form: 'table',
      query: ['test', 'unit', 'since'],
      classes: [],
    },
    latest_lab_values: {
      method: 'GET',
      path: '/analyses/latest_lab_values',
      form: 'table',
      query: ['test'],
      classes: [],
    },
    missing_codes: {
      method: 'GET',
      path: '/analyses/missing_codes',
      form: 'table',
      query: [],
      classes: [],
    },
    record_contents: {
      method: 'GET',
      path: '/analyses/record_contents',
      form: 'table',
      query: [],
      classes: [],
    },
    vaccination_coverage: {
      method: 'GET',
      path: '/analyses/vaccination_coverage',
      form: 'table',
      query: [],
      classes: [],
    },
  },
  classes: {},
};

/**
 * Makes a client of the analyses of a container.
 * @throws TypeError for settings that cannot be used
 */
export function createAnalyst(settings: AnalystSettings): Analyses {
  return connect(analyses, settings);
}
