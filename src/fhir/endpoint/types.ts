/** The id and the extensions of a primitive value. */
export interface Element {
  id?: string;
  extension?: Extension[];
}

/** A primitive property `name` with its primitive extension `_name`; either may stand alone. */
type Primitive<Name extends string, Value> = { [key in Name]?: Value } & { [key in `_${Name}`]?: Element };

/**
 * A repeating primitive with its primitive extension. Both have one entry for each repetition, null if there is nothing
 * there (FHIR R4 JSON, "Representation of primitive elements").
 */
type Primitives<Name extends string, Value> = { [key in Name]?: (Value | null)[] } & {
  [key in `_${Name}`]?: (Element | null)[];
};

/** The values of primitive datatypes, by the name that follows `value` in an extension. */
interface PrimitiveValues {
  Base64Binary: string;
  Boolean: boolean;
  Canonical: string;
  Code: string;
  Date: string;
  DateTime: string;
  Decimal: number;
  Id: string;
  Instant: string;
  Integer: number;
  Markdown: string;
  Oid: string;
  PositiveInt: number;
  String: string;
  Time: string;
  UnsignedInt: number;
  Uri: string;
  Url: string;
  Uuid: string;
}

/** Datatypes that only extensions can hold; their content is checked, but not described as types. */
// prettier-ignore
type OtherDatatype =
  | 'Address' | 'Age' | 'Annotation' | 'Attachment' | 'Count' | 'Distance' | 'Duration' | 'HumanName' | 'Money'
  | 'Quantity' | 'Range' | 'Ratio' | 'SampledData' | 'Signature' | 'Timing' | 'ContactDetail' | 'Contributor'
  | 'DataRequirement' | 'Expression' | 'ParameterDefinition' | 'RelatedArtifact' | 'TriggerDefinition' | 'UsageContext'
  | 'Dosage';

export type FreeObject = Record<string, unknown>;

type ComplexValues = {
  CodeableConcept: CodeableConcept;
  Coding: Coding;
  ContactPoint: ContactPoint;
  Identifier: Identifier;
  Meta: Meta;
  Period: Period;
  Reference: Reference;
} & { [name in OtherDatatype]: FreeObject };

/** Additional information named by its `url`: one value, under the name of its datatype, or more extensions. */
export type Extension = Element & { url: string; _url?: Element } & {
  [name in keyof PrimitiveValues as `value${name}`]?: PrimitiveValues[name];
} & { [name in keyof PrimitiveValues as `_value${name}`]?: Element } & {
  [name in keyof ComplexValues as `value${name}`]?: ComplexValues[name];
};

export type Meta = Element &
  Primitive<'versionId' | 'lastUpdated' | 'source', string> &
  Primitives<'profile', string> & { security?: Coding[]; tag?: Coding[] };

/** A summary for people: XHTML with a `div` around it. */
export type Narrative = Element &
  Primitive<'status', 'generated' | 'extensions' | 'additional' | 'empty'> & { div: string };

export type Identifier = Element &
  Primitive<'use', 'usual' | 'official' | 'temp' | 'secondary' | 'old'> &
  Primitive<'system' | 'value', string> & { type?: CodeableConcept; period?: Period; assigner?: Reference };

export type Coding = Element &
  Primitive<'system' | 'version' | 'code' | 'display', string> &
  Primitive<'userSelected', boolean>;

export type CodeableConcept = Element & Primitive<'text', string> & { coding?: Coding[] };

export type Reference = Element &
  Primitive<'reference' | 'type' | 'display', string> & { identifier?: Identifier };

export type ContactPoint = Element &
  Primitive<'system', 'phone' | 'fax' | 'email' | 'pager' | 'url' | 'sms' | 'other'> &
  Primitive<'value', string> &
  Primitive<'use', 'home' | 'work' | 'temp' | 'old' | 'mobile'> &
  Primitive<'rank', number> & { period?: Period };

/** Both bounds are included; a partial date stands for all of its year, month or day. */
export type Period = Element & Primitive<'start' | 'end', string>;

/** A resource that exists only inside the endpoint, which refers to it as `#id`. */
export interface ContainedResource extends FreeObject {
  resourceType: string;
  id: string;
}

export type EndpointStatus = 'active' | 'suspended' | 'error' | 'off' | 'entered-in-error' | 'test';

/** The FHIR R4 (4.0.1) resource Endpoint in its JSON form. */
export type Endpoint = {
  resourceType: 'Endpoint';
  meta?: Meta;
  text?: Narrative;
  contained?: ContainedResource[];
  extension?: Extension[];
  modifierExtension?: Extension[];
  identifier?: Identifier[];
  connectionType: Coding;
  managingOrganization?: Reference;
  contact?: ContactPoint[];
  period?: Period;
  payloadType: CodeableConcept[];
} & Primitive<'id' | 'implicitRules' | 'language' | 'name' | 'address', string> &
  Primitive<'status', EndpointStatus> &
  Primitives<'payloadMimeType' | 'header', string>;
