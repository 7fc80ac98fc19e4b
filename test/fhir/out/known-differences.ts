/** Why statements say something else when they come in again, and what: a class of them, and `-` what is gone or `+` new. */
export const differencesOfStatements: Readonly<Record<string, readonly string[]>> = {
  'no query exports it': [
    'family_history',
    'imaging_studies',
    'medical_images',
    'photograph',
    'unmapped/imaging_studies',
  ].map((segment) => `${segment} -all`),
  'nobody said its status, and the import asks for one': [
    'fulfillments -all',
    'social_history -all',
    'immunizations -all',
    'unmapped/immunizations -all',
    'vital_sign_sets kept',
    'procedures kept',
  ],
  'nobody said its status, which says so when it comes in': [
    'encounters +sourceStatus +title',
    'lab_panels +sourceStatus +title',
    'lab_results +sourceStatus +notes -notes',
    'medications +code +identifier +system +title +type',
    'unmapped/allergies +recordedStatus',
    'unmapped/lab_results +recordedStatus',
    'unmapped/medications +recordedStatus',
    'unmapped/procedures +recordedStatus',
    'unmapped/vital_sign_sets +recordedStatus',
  ],
  'the status is one of FHIR now': ['procedures +sourceStatus +type'],
  'R4 has no such severity, and none that is fatal': [
    'allergies +code +identifier +title -code -identifier -title kept',
  ],
  'a note of a clinician has a file when it comes in, and each file another name': [
    'clinical_notes -encoding -type -value +byteSize +fileName +sha256',
    'documents -fileName +fileName',
  ],
  'no media type is known, without which none comes in': ['clinical_notes -all', 'documents -all'],
  'its type decides whether it is a note': ['clinical_notes +type', 'documents +type -type'],
  'a type of a document is optional': ['documents -code -identifier -title'],
  'an element that the import does not read, or none': [
    'demographics -type -unit -value -system +system',
    'fulfillments -country-name -deaNumber -family-name -given-name -honorific-prefix -honorific-suffix -locality -ncpdpId -npiNumber -pbm -postal-code -region -street-address -type',
    'immunizations -code -identifier -system -title -type',
    'lab_results -accessionNumber -value',
    'medications -fulfillment',
    'problems -identifier -sourceCode -system -title -translationFidelity -type',
    'vital_sign_sets -code -identifier -system -title -type',
  ],
  'one of both says it': ['demographics -deceased'],
  'an order has no end, and an active problem neither (con-4): it is a note': [
    'medications -endDate',
    'problems -endDate -notes +notes',
  ],
  'its status says it, and the name as well when it comes in': ['procedures +title', 'immunizations +title'],
  'its code is gone without its name': ['lab_results kept'],
  'the result is a note, and the reason another': [
    'unmapped/allergies +whyUnmapped -whyUnmapped',
    'unmapped/lab_results +whyUnmapped -whyUnmapped',
    'unmapped/vital_sign_sets +whyUnmapped -whyUnmapped',
  ],
  'its id is too long for the name of a statement': [
    'unmapped/medications -all +belongsTo +date +notes +recordedCode +title +type +whyUnmapped',
  ],
};

/** Each of them by itself, as `problems -endDate`. */
export const eachDifference = (): string[] =>
  Object.values(differencesOfStatements)
    .flat()
    .flatMap((each) => {
      const [segment, ...kinds] = each.split(' ');
      return kinds.map((kind) => `${segment} ${kind}`);
    });

/**
 * Why resources say something else when they go out again: elements that the mapping reads and that are gone (`-`), and what
 * is new (`+`).
 */
export const differencesOfResources: readonly (readonly [reason: string, kinds: RegExp])[] = [
  [
    'references say their type',
    /^\+ \S+\.(?:subject|patient|encounter|result|authorizingPrescription)\.type$/u,
  ],
  [
    'people and organizations are contained',
    /^(?:\+ \S+\.contained\b|[-+] \S+\.(?:individual|serviceProvider|actor|author)\.(?:reference|display)$)/u,
  ],
  [
    'who made a result goes out by name, several as one',
    /^[-+] (?:DiagnosticReport|Observation)\.performer\.(?:display|reference)$/u,
  ],
  ['the names of a patient are those in use', /^- Patient\.name\.(?:family|use)$/u],
  ['the only language is the preferred one', /^- Patient\.communication\.preferred$/u],
  [
    'codes have their systems',
    /^\+ (?:Patient\.communication\.language|(?:Observation|DiagnosticReport)\.category)\.coding\.system$/u,
  ],
  [
    'units have the system and the code of UCUM, or neither',
    /^(?:\+ \S+(?:[qQ]uantity|daysSupply|low|high)\.(?:unit|system|code)|- \S+doseQuantity\.code)$/u,
  ],
  ['units are those of the record model', /^[-+] Observation\.valueQuantity\.(?:value|unit|code)$/u],
  [
    'codes are those of the record model',
    /^[-+] (?:AllergyIntolerance\.code|Observation(?:\.component)?\.code|Observation\.valueCodeableConcept|DocumentReference\.type)\.(?:text|coding\.(?:system|code|display))$/u,
  ],
  ['a result that is no number is words', /^\+ Observation\.valueString$/u],
  ['codes have names', /^\+ (?:Encounter\.class\.display|Immunization\.statusReason\.text)$/u],
  ['the severity has the higher of both', /^- AllergyIntolerance\.criticality$/u],
  ['R4 asks for it (ait-1)', /^\+ AllergyIntolerance\.clinicalStatus\.coding\.(?:system|code)$/u],
  [
    'a prescriber is a name',
    /^(?:- MedicationRequest\.requester\.reference|\+ MedicationRequest\.requester\.display)$/u,
  ],
  [
    'the type and the reason of a visit are words',
    /^(?:- Encounter\.(?:type|reasonCode)\.coding\.\S+|\+ Encounter\.(?:type|reasonCode)\.text)$/u,
  ],
  [
    'a medication has its code with it',
    /^(?:- MedicationStatement\.medicationReference\.reference|\+ MedicationStatement\.medicationCodeableConcept\.\S+)$/u,
  ],
  [
    'the range that counts is the normal one',
    /^\+ Observation\.referenceRange\.type\.coding\.(?:system|code)$/u,
  ],
  [
    'a period has its start alone',
    /^(?:- Procedure\.performedPeriod\.start|\+ Procedure\.performedDateTime)$/u,
  ],
  [
    'a document has a file, with a title',
    /^(?:- \S+attachment\.data|\+ DocumentReference\.content\.attachment\.(?:size|title|url))$/u,
  ],
];

/** The same for what HL7's examples and the patients of Synthea say besides. */
export const differencesOfExamples: readonly (readonly [reason: string, kinds: RegExp])[] = [
  [
    'references are by type and id; an encounter that gave no statement has none',
    /^[-+] \S+\.(?:subject|patient|encounter|result)\.reference$/u,
  ],
  ['a dosage is words', /^[-+] Medication(?:Request|Statement)\.dosage(?:Instruction)?\.\S+$/u],
  ['what a statement has no element for is a note', /^\+ \S+\.note\.text$/u],
  [
    'what is in words has its codes no longer',
    /^- (?:Condition\.(?:bodySite|severity|stage\.summary)|Procedure\.(?:bodySite|complication)|Observation\.(?:component\.)?(?:interpretation|dataAbsentReason))\.(?:text|coding\.(?:code|system|display))$/u,
  ],
  [
    'a quantity in words has its unit, and no system of units',
    /^- (?:Condition\.(?:abatement|onset)Age\.system|Observation\.(?:component\.valueQuantity\.(?:code|system)|(?:valueQuantity|referenceRange\.(?:low|high))\.system)|MedicationDispense\.daysSupply\.unit)$/u,
  ],
  ['an interpretation has the code of R4', /^\+ Observation\.interpretation\.coding\.(?:code|system)$/u],
  [
    'a medication has its code with it',
    /^(?:- MedicationRequest\.medicationReference\.reference|[-+] Medication(?:Request|Dispense)\.medicationCodeableConcept\.\S+)$/u,
  ],
  ['an order in words has no prescriber', /^- MedicationRequest\.requester\.display$/u],
  ['what has no code is unknown', /^\+ (?:Condition|Procedure)\.code\.coding\.(?:code|system|display)$/u],
  [
    'codes have names',
    /^\+ (?:(?:Condition|Procedure)\.code\.text|Immunization\.vaccineCode\.(?:text|coding\.display))$/u,
  ],
  ['a code has no version', /^- \S+\.code\.coding\.(?:version|userSelected)$/u],
  [
    'nothing else is said of what is confirmed; the lists are what the categories say',
    /^- (?:(?:Condition|AllergyIntolerance)\.verificationStatus\.coding\.(?:code|system|display)|AllergyIntolerance\.clinicalStatus\.coding\.display|Condition\.category\.coding\.(?:code|system|display))$/u,
  ],
  [
    'a reaction has one sign and its severity; what is kept in words has neither these nor a category',
    /^(?:- AllergyIntolerance\.(?:category|reaction\.\S+)|[-+] AllergyIntolerance\.type|\+ AllergyIntolerance\.reaction\.manifestation\.text)$/u,
  ],
  [
    'a date stands in for another',
    /^(?:[-+] AllergyIntolerance\.(?:onsetDateTime|recordedDate)|- Condition\.recordedDate|- MedicationDispense\.whenPrepared|- MedicationStatement\.dateAsserted|- Observation\.(?:effectivePeriod\.start|issued)|\+ Observation\.effectiveDateTime|- DocumentReference\.content\.attachment\.creation)$/u,
  ],
  [
    'R4 asks for it, and nobody said it',
    /^\+ (?:Immunization\._occurrenceDateTime\.extension\.(?:url|valueCode)|Patient\.gender)$/u,
  ],
  ['a dose that is not subpotent is one like others', /^- Immunization\.isSubpotent$/u],
  ['the description of a document with a title', /^- DocumentReference\.description$/u],
  ['a whole name stands in for its parts', /^(?:- Patient\.name\.text|\+ Patient\.name\.family)$/u],
  [
    'of a patient what counts now: one name, contacts in use, who is dead; numbers with the name of their type',
    /^(?:- Patient\.(?:active|deceasedBoolean|address\.(?:type|period\.start)|extension(?:\.extension)?\.url|identifier\.(?:use|value|system|period\.start|type\.text|type\.coding\.(?:code|system|display))|name\.(?:given|period\.end)|telecom\.(?:use|value|period\.end)|link\.(?:type|other\.reference)|communication\.language\.(?:text|coding\.display))|\+ Patient\.identifier\.type\.text)$/u,
  ],
];
