/** A way in which Chartgraph and HAPI's validator judge endpoints differently. */
export interface Kind {
  readonly kind: string;
  /** Which of them finds something. */
  readonly finds: 'Chartgraph' | 'HAPI';
  /** What it says: of Chartgraph the rule and the message, of HAPI the message. */
  readonly says: RegExp;
  /** Which of them is right by the specification. */
  readonly right: 'Chartgraph' | 'HAPI' | 'both';
  readonly why: string;
}

export const kinds: readonly Kind[] = [
  {
    kind: 'arrays that do not line up',
    finds: 'Chartgraph',
    says: /^companion: /u,
    right: 'Chartgraph',
    why: 'R4 JSON: an array of primitives and that of their extensions have one length, and neither is all null',
  },
  {
    kind: 'contained resources of one id',
    finds: 'Chartgraph',
    says: /^contained-id: /u,
    right: 'Chartgraph',
    why: 'R4 references: the id is unique within the resource; `#id` would name two',
  },
  {
    kind: 'a contained resource that only itself refers to',
    finds: 'Chartgraph',
    says: /^contained-reference: /u,
    right: 'Chartgraph',
    why: 'R4 dom-3: something else in the resource refers to it; HAPI counts the reference that it holds itself',
  },
  {
    kind: 'an element that has an id alone',
    finds: 'Chartgraph',
    says: /^element: /u,
    right: 'Chartgraph',
    why: 'R4 ele-1: all elements have a value or children',
  },
  {
    kind: 'an empty array',
    finds: 'Chartgraph',
    says: /^empty: An array/u,
    right: 'Chartgraph',
    why: 'R4 JSON: “an array can never be empty”',
  },
  {
    kind: 'base64 that is padded in the middle or breaks off',
    finds: 'Chartgraph',
    says: /^format: .* is not base64/u,
    right: 'Chartgraph',
    why: 'RFC 4648 §3.2: padding stands at the end, after groups of four',
  },
  {
    kind: 'a narrative that is not well-formed, or has processing instructions or a document type',
    finds: 'Chartgraph',
    says: /^narrative: (?:The XHTML is not well-formed|A narrative has no)/u,
    right: 'Chartgraph',
    why: 'R4 Narrative: the div is a well-formed fragment of XHTML',
  },
  {
    kind: 'a narrative that runs or loads something',
    finds: 'Chartgraph',
    says: /^narrative: .* would (?:run|load)/u,
    right: 'Chartgraph',
    why: 'R4 Narrative: “no active content”; links with programs and styles that load are such',
  },
  {
    kind: 'a reference to a resource of another type',
    finds: 'Chartgraph',
    says: /^reference-type: /u,
    right: 'Chartgraph',
    why: 'R4 names the types of each reference; HAPI looks only at resources that it can fetch or that are contained',
  },
  {
    kind: 'a contained resource of an abstract type',
    finds: 'Chartgraph',
    says: /^resource-type: /u,
    right: 'Chartgraph',
    why: 'R4: there are no instances of DomainResource',
  },
  {
    kind: 'half of a surrogate pair',
    finds: 'Chartgraph',
    says: /^unicode: /u,
    right: 'Chartgraph',
    why: 'R4 string: Unicode characters, of which this is none',
  },
  {
    kind: 'an unknown property beside a primitive',
    finds: 'Chartgraph',
    says: /^unknown-property: .* of Element/u,
    right: 'Chartgraph',
    why: 'R4 Element: id and extension are all that it has',
  },
  {
    kind: 'status or address is missing',
    finds: 'HAPI',
    says: /^Endpoint\.(?:status|address): minimum required = 1/u,
    right: 'both',
    why: 'R4 asks for them, the specification of this container does not: a warning',
  },
  {
    kind: 'a code that an HL7 code system does not have',
    finds: 'HAPI',
    says: /^Unknown code /u,
    right: 'both',
    why: 'HL7 adds codes to its systems after R4, and nothing says which version is meant: a warning',
  },
  {
    kind: 'codings without system and code',
    finds: 'HAPI',
    says: /^Duplicate Security Label null#null/u,
    right: 'Chartgraph',
    why: 'two labels of which neither system nor code is said need not be the same',
  },
  {
    kind: 'an extension in place of a MIME type',
    finds: 'HAPI',
    says: /^No code provided/u,
    right: 'Chartgraph',
    why: 'R4 JSON: a primitive may have an extension in the place of its value; the binding is about values',
  },
  {
    kind: 'a leap second',
    finds: 'HAPI',
    says: /^Not a valid time/u,
    right: 'Chartgraph',
    why: 'R4 time: its pattern takes 60 seconds',
  },
  {
    kind: 'short OIDs',
    finds: 'HAPI',
    says: /^OIDs must be valid \((?:1\.2|1\.2\.3|2\.0)\)/u,
    right: 'Chartgraph',
    why: 'R4 oid: its pattern takes two parts and more',
  },
  {
    kind: 'a period whose order is not certain',
    finds: 'HAPI',
    says: /^Rule per-1/u,
    right: 'Chartgraph',
    why: 'R4 Period: a partial date stands for all of its year, month or day, and an end includes it',
  },
  {
    kind: 'a range in two units',
    finds: 'HAPI',
    says: /^Rule rng-2: .*UnsupportedOperationException/u,
    right: 'Chartgraph',
    why: 'HAPI fails to compare them',
  },
  {
    kind: 'null in an array of primitives',
    finds: 'HAPI',
    says: /^java\.lang\.UnsupportedOperationException: JsonNull/u,
    right: 'Chartgraph',
    why: 'R4 JSON: null fills the place of a value that has an extension alone; HAPI’s reader fails',
  },
  {
    kind: 'a failure of the validator',
    finds: 'HAPI',
    says: /^java\.lang\.NullPointerException/u,
    right: 'Chartgraph',
    why: 'HAPI fails; nothing is wrong with the resource',
  },
];
