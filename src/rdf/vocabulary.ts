/** Makes an object of a namespace: local name → absolute IRI. An unlisted term is a type error. */
function namespace<Name extends string>(iri: string, ...names: Name[]): Readonly<Record<Name, string>> {
  return Object.freeze(Object.fromEntries(names.map((name) => [name, iri + name])) as Record<Name, string>);
}

export const prefixes = Object.freeze({
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  sh: 'http://www.w3.org/ns/shacl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  prov: 'http://www.w3.org/ns/prov#',
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  v: 'http://www.w3.org/2006/vcard/ns#',
  sp: 'http://smartplatforms.org/terms#',
  spcode: 'http://smartplatforms.org/terms/codes/',
  api: 'http://smartplatforms.org/terms/api#',
  calls: 'http://smartplatforms.org/terms/api/calls#',
  filters: 'http://smartplatforms.org/terms/api/filters#',
  params: 'http://smartplatforms.org/terms/api/parameters#',
  cg: 'https://chartgraph.example.org/terms#',
} as const satisfies Record<string, string>);

/** Prefixes that analysts' queries may use undeclared, besides the table above. */
export const queryPrefixes = Object.freeze({
  ...prefixes,
  // The usual name of the prefix `v`.
  vcard: prefixes.v,
});

/** Graphs that an empty Virtuoso 7 has. */
export const virtuosoGraphs = [
  'http://www.openlinksw.com/schemas/virtrdf#',
  'http://www.w3.org/ns/ldp#',
  'http://localuriqaserver/sparql',
] as const;

/** Media types in the record model have the IRI: this + `text/plain`. */
export const mediaTypes = 'http://purl.org/NET/mediatypes/';

/** The fixed namespaces of the prefixes `xml` and `xmlns` (Namespaces in XML 1.0 §3). */
export const xml = 'http://www.w3.org/XML/1998/namespace';
export const xmlns = 'http://www.w3.org/2000/xmlns/';

// prettier-ignore
export const rdf = namespace(prefixes.rdf,
  'type', 'first', 'rest', 'nil', 'List', 'value', 'Property', 'Statement', 'subject', 'predicate', 'object',
  'Description', 'langString', 'dirLangString', 'XMLLiteral', 'HTML', 'JSON');

// prettier-ignore
export const rdfs = namespace(prefixes.rdfs,
  'label', 'comment', 'subClassOf', 'subPropertyOf', 'domain', 'range', 'Class', 'Datatype', 'Literal', 'seeAlso', 'isDefinedBy');

// prettier-ignore
export const owl = namespace(prefixes.owl,
  'Ontology', 'versionInfo', 'Class', 'Thing', 'Restriction', 'NamedIndividual', 'AnnotationProperty', 'DatatypeProperty',
  'ObjectProperty', 'Axiom', 'annotatedSource', 'annotatedProperty', 'annotatedTarget', 'onProperty', 'onClass',
  'someValuesFrom', 'allValuesFrom', 'hasValue', 'cardinality', 'minCardinality', 'maxCardinality',
  'qualifiedCardinality', 'minQualifiedCardinality', 'maxQualifiedCardinality', 'equivalentClass', 'disjointWith', 'oneOf', 'unionOf',
  'intersectionOf', 'inverseOf', 'deprecated', 'imports', 'topObjectProperty', 'onDataRange', 'onDatatype', 'withRestrictions');

/** All other terms of RDF Schema and OWL 2, so that misspelt ones can be detected. */
// prettier-ignore
export const otherTerms: ReadonlySet<string> = new Set([
  ...Object.values(namespace(prefixes.rdfs, 'Resource', 'Container', 'ContainerMembershipProperty', 'member', 'Proposition')),
  ...Object.values(namespace(prefixes.owl,
    'AllDifferent', 'AllDisjointClasses', 'AllDisjointProperties', 'Annotation', 'AsymmetricProperty', 'DataRange', 'DeprecatedClass',
    'DeprecatedProperty', 'FunctionalProperty', 'InverseFunctionalProperty', 'IrreflexiveProperty', 'NegativePropertyAssertion',
    'Nothing', 'OntologyProperty', 'ReflexiveProperty', 'SymmetricProperty', 'TransitiveProperty', 'assertionProperty',
    'backwardCompatibleWith', 'bottomDataProperty', 'bottomObjectProperty', 'complementOf', 'datatypeComplementOf', 'differentFrom',
    'disjointUnionOf', 'distinctMembers', 'equivalentProperty', 'hasKey', 'hasSelf', 'incompatibleWith', 'members',
    'onProperties', 'priorVersion', 'propertyChainAxiom', 'propertyDisjointWith', 'rational', 'real', 'sameAs',
    'sourceIndividual', 'targetIndividual', 'targetValue', 'topDataProperty', 'versionIRI'))]);

// prettier-ignore
export const xsd = namespace(prefixes.xsd,
  'string', 'boolean', 'integer', 'nonNegativeInteger', 'int', 'long', 'decimal', 'double', 'float', 'date', 'dateTime',
  'gYear', 'gYearMonth', 'anyURI', 'base64Binary', 'time');

/** Facets that the container checks (XML Schema 1.1 part 2 §4.3). */
// prettier-ignore
export const facet = namespace(prefixes.xsd,
  'minInclusive', 'minExclusive', 'maxInclusive', 'maxExclusive', 'length', 'minLength', 'maxLength');

/** All other datatypes of XML Schema 1.1 part 2: known by name, but their form is not checked. */
// prettier-ignore
export const otherDatatypes = namespace(prefixes.xsd,
  'nonPositiveInteger', 'negativeInteger', 'positiveInteger', 'short', 'byte', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte', 'dateTimeStamp', 'duration',
  'dayTimeDuration', 'yearMonthDuration', 'gMonth', 'gMonthDay', 'gDay', 'hexBinary', 'normalizedString', 'token',
  'language', 'Name', 'NCName', 'NMTOKEN', 'QName', 'ENTITY', 'ID', 'IDREF', 'NOTATION', 'anyType', 'anySimpleType',
  'anyAtomicType');

// prettier-ignore
export const dcterms = namespace(prefixes.dcterms,
  'title', 'description', 'date', 'created', 'modified', 'format', 'hasFormat', 'identifier', 'MediaTypeOrExtent',
  'hasVersion', 'accessRights', 'source', 'isVersionOf', 'hasPart', 'available', 'extent');

export const skos = namespace(prefixes.skos, 'broader');

export const foaf = namespace(prefixes.foaf, 'gender', 'givenName', 'familyName', 'mbox');

// prettier-ignore
export const vcard = namespace(prefixes.v,
  'VCard', 'Name', 'Address', 'Tel', 'Home', 'Work', 'Cell', 'Pref', 'n', 'given-name', 'additional-name', 'family-name',
  'honorific-prefix', 'honorific-suffix', 'adr', 'street-address', 'extended-address', 'locality', 'region',
  'postal-code', 'country', 'country-name', 'tel', 'email', 'bday', 'deathdate', 'organization-name');

// prettier-ignore
export const sp = namespace(prefixes.sp,
  'Statement', 'Component', 'MedicalRecord', 'Allergy', 'AllergyExclusion', 'ClinicalNote', 'Demographics', 'Document',
  'Encounter', 'FamilyHistory', 'Fulfillment', 'ImagingStudy', 'Immunization', 'LabPanel', 'LabResult', 'MedicalImage',
  'Medication', 'Panel', 'Photograph', 'Problem', 'Procedure', 'SocialHistory', 'VitalSign', 'VitalSignSet',
  'Code', 'CodedValue', 'CodeProvenance', 'ValueAndUnit', 'ValueRange', 'ValueRatio', 'QuantitativeResult',
  'NarrativeResult', 'Attribution', 'BloodPressure', 'Content', 'DataType', 'Hash', 'Resource', 'Series', 'Organization',
  'Participant', 'Person', 'Pharmacy', 'Provider', 'AppManifest', 'ContainerManifest', 'Ontology', 'ScratchpadData',
  'SMARTAPI', 'User', 'UserPreferences', 'VCardLabels',
  'belongsTo', 'hasStatement', 'code', 'system', 'title', 'identifier', 'provenance', 'sourceCode',
  'translationFidelity', 'value', 'unit', 'startDate', 'endDate', 'notes', 'severity', 'category', 'allergicReaction',
  'drugAllergen', 'drugClassAllergen', 'otherAllergen', 'allergyExclusionName', 'medication', 'fulfillment', 'drugName',
  'instructions', 'quantity', 'frequency', 'dispenseDaysSupply', 'quantityDispensed', 'pharmacy', 'pbm', 'provider',
  'encounter', 'encounters', 'encounterType', 'facility', 'labName', 'labResult', 'labStatus', 'quantitativeResult',
  'narrativeResult', 'valueAndUnit', 'normalRange', 'nonCriticalRange', 'minimum', 'maximum', 'abnormalInterpretation',
  'accessionNumber', 'problemName', 'problemStatus', 'procedureName', 'procedureStatus', 'productName', 'productClass',
  'administrationStatus', 'refusalReason', 'aboutRelative', 'hasProblem', 'smokingStatus', 'vitalName', 'bloodPressure',
  'systolic', 'diastolic', 'bodyPosition', 'bodySite', 'method', 'bodyMassIndex', 'headCircumference', 'heartRate',
  'height', 'oxygenSaturation', 'respiratoryRate', 'temperature', 'weight', 'series', 'images', 'imagingStudy', 'modality',
  'documentType', 'fileName', 'fileSize', 'resource', 'location', 'content', 'encoding', 'hash', 'algorithm',
  'medicalRecordNumber', 'gestationalAgeAtBirth', 'ethnicity', 'race', 'preferredLanguage', 'role', 'department', 'user');

// prettier-ignore
export const api = namespace(prefixes.api,
  'Call', 'Filter', 'Parameter', 'ParameterSet', 'ResponseSummary', 'path', 'httpMethod', 'clientMethodName', 'category',
  'cardinality', 'target', 'defaultSort', 'responseContentType', 'hasFilter', 'hasParameter', 'clientParameterName',
  'clientParameterType', 'filterSparql', 'filterSparqlCast', 'filterSparqlOperator', 'parameters', 'description', 'doc',
  'example', 'base_path', 'name', 'namePlural', 'by_internal_id', 'totalResultCount', 'resultsReturned',
  'processingTimeMs', 'resultOrder', 'nextPageURL');

// prettier-ignore
export const cg = namespace(prefixes.cg,
  'answer', 'discloses', 'valueType', 'choice', 'json', 'operator', 'codeBase', 'sortPath', 'sortNames', 'generatedFrom',
  'sha256', 'byteSize', 'title', 'date', 'until', 'status', 'over', 'outside', 'summary', 'group', 'heading', 'order', 'value', 'unit', 'range', 'minimum', 'maximum', 'critical', 'denies', 'shownAs', 'titleTag', 'titleNoise', 'titleSpecimen', 'firstCodes', 'social', 'decimals',
  'code', 'trend', 'allows', 'earliest', 'latest', 'identifying', 'precision', 'form', 'common', 'impersonal', 'deceased', 'replacedBy', 'replaces', 'insteadOf', 'recordedStatus', 'sourceStatus', 'providerName', 'performerName', 'visitType', 'visitReason',
  'recordedCode', 'whyUnmapped', 'firstDay', 'lastDay', 'number', 'canonicalValue', 'canonicalUnit', 'endStated', 'overrides');

/** Prefixes of SPARQL 1.1 Service Description and VoID. */
export const servicePrefixes = Object.freeze({
  sd: 'http://www.w3.org/ns/sparql-service-description#',
  void: 'http://rdfs.org/ns/void#',
  formats: 'http://www.w3.org/ns/formats/',
});

// prettier-ignore
export const sd = namespace(servicePrefixes.sd,
  'Service', 'Dataset', 'Graph', 'endpoint', 'supportedLanguage', 'SPARQL11Query', 'resultFormat', 'defaultDataset',
  'defaultGraph');

// prettier-ignore
export const voidTerms = namespace(servicePrefixes.void,
  'Dataset', 'sparqlEndpoint', 'triples', 'distinctSubjects', 'properties', 'classes', 'classPartition', 'entities',
  'propertyPartition', 'class', 'property', 'vocabulary');

export const sparqlResults = 'http://www.w3.org/2005/sparql-results#';

/** The SHACL shape for RDF lists, from DASH. */
export const listShape = 'http://datashapes.org/dash#ListShape';

/** The prefix of shapes that are derived from the ontology. */
export const shapePrefixes = Object.freeze({
  shape: 'https://chartgraph.example.org/shapes#',
});

// prettier-ignore
export const sh = namespace(prefixes.sh,
  'declare', 'prefix', 'namespace', 'NodeShape', 'PropertyShape', 'Violation', 'Literal', 'IRI', 'IRIOrLiteral', 'targetClass', 'targetSubjectsOf',
  'targetObjectsOf', 'property', 'path', 'node', 'severity', 'message', 'minCount', 'maxCount', 'class', 'datatype', 'nodeKind',
  'in', 'and', 'or', 'not', 'pattern', 'flags', 'closed', 'ignoredProperties', 'alternativePath', 'qualifiedValueShape',
  'qualifiedMinCount', 'minInclusive', 'minExclusive', 'maxInclusive', 'maxExclusive', 'minLength', 'maxLength');

/** The prefix of our own terms for accesses, which are otherwise described with PROV-O. */
export const accessPrefixes = Object.freeze({
  access: 'https://chartgraph.example.org/access#',
});

// prettier-ignore
export const prov = namespace(prefixes.prov,
  'Activity', 'Entity', 'Association', 'Delegation', 'SoftwareAgent', 'Person', 'startedAtTime', 'endedAtTime', 'specializationOf', 'wasRevisionOf', 'used', 'generated', 'invalidated',
  'wasAssociatedWith', 'wasDerivedFrom', 'qualifiedAssociation', 'qualifiedDelegation', 'agent', 'hadPlan', 'hadActivity');

// prettier-ignore
export const access = namespace(accessPrefixes.access,
  'number', 'action', 'outcome', 'status', 'purpose', 'address', 'revision', 'reason', 'record', 'tokenId', 'requestId',
  'droppedThrough');

/** Prefixes of accesses (+ number) and of operating system accounts (+ name). */
export const accessUrn = 'urn:chartgraph:access:';
export const accountUrn = 'urn:chartgraph:account:';

/** Systems of open code sets, by the local name of the set's class; a code's IRI is its system and identifier. */
export const codeSystems: Readonly<Record<string, string>> = Object.freeze({
  SNOMED: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  Procedure: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  LOINC: 'http://purl.bioontology.org/ontology/LNC/',
  RxNorm: 'http://purl.bioontology.org/ontology/RXNORM/',
  RxNorm_Ingredient: 'http://purl.bioontology.org/ontology/RXNORM/',
  RxNorm_Semantic: 'http://purl.bioontology.org/ontology/RXNORM/',
  NDFRT: 'http://purl.bioontology.org/ontology/NDFRT/',
  UNII: 'http://fda.gov/UNII/',
  ImmunizationProduct: 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#',
  ImmunizationClass: 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=vg#',
});

export const xhtml = 'http://www.w3.org/1999/xhtml';

/** The URI that FHIR gives UCUM units as their system. */
export const ucum = 'http://unitsofmeasure.org';

/** The code systems by which FHIR says of what kind an identifier is: that of R4, and that of STU3. */
export const identifierTypes: readonly string[] = [
  'http://terminology.hl7.org/CodeSystem/v2-0203',
  'http://hl7.org/fhir/v2/0203',
];

/** The home page that Chartgraph states as its own. */
export const chartgraphHome = 'https://chartgraph.example.org/';

/** The JSON Schema of SARIF 2.1.0, which names the format of diagnostics files. */
export const sarifSchema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The namespace of FHIR's RDF form (R4); properties of datatypes are named like `Coding.system`. */
export const fhirNamespace = 'http://hl7.org/fhir/';
export const fhir = namespace(fhirNamespace, 'Endpoint', 'value', 'index', 'nodeRole', 'treeRoot', 'link');

/** Names FHIR resources and elements during mapping: a resource is this + its type, `/` and its id. */
export const resourceUrn = 'urn:fhir:';

/** Our own terms for resources during mapping, and for the columns of code lists and units. */
export const mappingNamespace = 'https://chartgraph.example.org/mapping#';
// prettier-ignore
export const mapping = namespace(mappingNamespace,
  'index', 'link', 'system', 'code', 'to', 'path', 'meaning', 'unless', 'purpose', 'value', 'asked',
  'label', 'property', 'allergen', 'barred', 'in', 'among', 'only', 'last', 'set', 'element', 'says', 'grade', 'means', 'gender', 'prefix',
  'also', 'form', 'ageUnit', 'days', 'months', 'timeUnit', 'each', 'many', 'becomes', 'when', 'schedule', 'words',
  'stays', 'alone', 'unmapped', 'keeps', 'negated', 'name', 'date', 'status', 'said', 'tables', 'origin');

/** The extension and the code system by which FHIR says why a value is absent. */
export const absentReason = {
  extension: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
} as const;

/** Code systems of audit events (FHIR R4). */
export const auditCodes = {
  dicom: 'http://dicom.nema.org/resources/ontology/DCM',
  type: 'http://terminology.hl7.org/CodeSystem/audit-event-type',
  interaction: 'http://hl7.org/fhir/restful-interaction',
  entityType: 'http://terminology.hl7.org/CodeSystem/audit-entity-type',
  objectRole: 'http://terminology.hl7.org/CodeSystem/object-role',
  source: 'http://terminology.hl7.org/CodeSystem/security-source-type',
  reason: 'http://terminology.hl7.org/CodeSystem/v3-ActReason',
} as const;

/** Names by which a CapabilityStatement says that apps come in by SMART App Launch, and where. */
export const smartSecurity = {
  service: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
  addresses: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
} as const;

/** The operation that answers with all of a patient. */
export const patientEverything = 'http://hl7.org/fhir/OperationDefinition/Patient-everything';

/** The extension of `meta` by which exports of Azure mark what was deleted and not purged. */
export const deletedState = 'http://azurehealthcareapis.com/data-extensions/deleted-state';

/** Namespaces with FHIR's names: for the first item of a list, for the items that count, and for their words. */
export const firstNamespace = 'https://chartgraph.example.org/first#';
export const chosenNamespace = 'https://chartgraph.example.org/chosen#';
export const wordsNamespace = 'https://chartgraph.example.org/words#';

/** Starts the names of graphs that do not depend on the base URL. */
export const ownUrn = 'urn:chartgraph:';

/** Names an endpoint and its graph: this + its id. */
export const endpointUrn = `${ownUrn}endpoint:`;
