import type { Literal } from '../../rdf/terms.js';
import { sp, type cg } from '../../rdf/vocabulary.js';
import type { AnswerChoice } from './answer-forms.js';
import type { Layer } from './layers.js';
import type { ValueType } from './value-types.js';

/** The owner of a call's data, which decides the credentials that it needs. */
export const scopes = ['container', 'record', 'user', 'app'] as const;
export type Scope = (typeof scopes)[number];

/** How a date filter compares with a stored date; `model/query/partial-date.ts` defines each operator. */
export const dateOperators = ['from', 'from_excluding', 'to', 'to_excluding'] as const;
export type DateOperator = (typeof dateOperators)[number];

/** How a search term compares with a name or text; see `model/query/index/name-index.ts`. */
export const textOperators = ['begins', 'equals'] as const;
export type TextOperator = (typeof textOperators)[number];

/** What a call shows to every user of container calls; `directory` is who people are. */
export const disclosures = ['directory'] as const;
export type Disclosure = (typeof disclosures)[number];

export const shownGroups = ['person', 'current', 'history'] as const;
export type ShownGroup = (typeof shownGroups)[number];

/** How a property's quantities are drawn; without one, not at all. */
export const trendKinds = ['time', 'age', 'target', 'none'] as const;
export type TrendKind = (typeof trendKinds)[number];

/** Where pages show a class besides its group, or (`source`) a property; `language` names the language of a tag. */
export const shownAsWords = ['alert', 'visit', 'folded', 'source', 'language'] as const;
export type ShownAsWord = (typeof shownAsWords)[number];

/** What values tell about a person, most telling first: identity, anything, a place, a day, nothing by themselves. */
export const identifyings = ['direct', 'text', 'place', 'date', 'none'] as const;
export type Identifying = (typeof identifyings)[number];

/** How much of a date is shown to users who may not know who a person is. */
export const precisions = ['year'] as const;
export type Precision = (typeof precisions)[number];

export type ClassKind = 'statement' | 'component' | 'code' | 'container' | 'other';

/** Bounds the values of a data range, or their number of characters, on one side. */
export interface Limit {
  of: 'value' | 'length';
  side: 'least' | 'most';
  open: boolean;
  bound: string;
}

/** The allowed literals (OWL 2 Structural Specification §7): some values of a datatype, or those of a list. */
export interface DataRange {
  /** The property of the linked node that it restricts, such as its number; undefined for the values themselves. */
  on?: string;
  /** rdfs:Literal when the values are listed. */
  datatype: string;
  limits: Limit[];
  listed: Literal[];
}

/** What the ontology asks of one property on instances of one class; an unbounded `max` is Infinity. */
export interface PropertyRule {
  property: string;
  min: number;
  max: number;
  classes: string[];
  literal: boolean;
  /** The datatype that the restriction names, other than rdfs:Literal. */
  datatype?: string | undefined;
  codeClass?: string | undefined;
  /** Fixed values of the linked node's own properties, such as its unit. */
  fixed: { property: string; value: string }[];
  /** Ranges of its literals, or of those of the linked node; all must hold. */
  ranges: DataRange[];
  from: string;
}

/** The annotations of a class that name one of its properties. */
export const shownProperties = [
  'title',
  'date',
  'until',
  'status',
  'summary',
  'value',
  'unit',
  'range',
  'critical',
  'minimum',
  'maximum',
  'code',
] as const satisfies readonly (keyof typeof cg)[];

/** How pages show instances of a class; lists of property IRIs, empty when not stated. */
export interface ShownAs extends Record<(typeof shownProperties)[number], string[]> {
  group?: ShownGroup | undefined;
  as?: ShownAsWord | undefined;
  /** Infinity when not stated. */
  order: number;
}

export interface ClassModel {
  iri: string;
  name: string;
  label: string;
  plural: string;
  heading?: string | undefined;
  comment: string;
  shown: ShownAs;
  allows?: string | undefined;
  /** The class in whose stead its statements are kept: who may read that one may read them. */
  insteadOf?: string | undefined;
  ancestors: string[];
  kind: ClassKind;
  /** Path of one instance below the base URL, with placeholders. */
  basePath?: string | undefined;
  rules: Map<string, PropertyRule>;
  members?: string[] | undefined;
  /** The system of its codes, for a code set that is named after it. */
  codeBase?: string | undefined;
  /** A regular expression that every whole identifier of its system fits. */
  form?: string | undefined;
  /** Words that its system puts in parentheses at the end of titles, for pages to leave out. */
  titleTags: string[];
  /** Identifiers of its system that stand first among results, in order. */
  firstCodes: string[];
  /** A regular expression for what pages leave out of its titles. */
  titleNoise?: string | undefined;
  /** A regular expression for what tells in its titles in which specimen a substance was measured. */
  titleSpecimen?: string | undefined;
  /** Properties, own and inherited, whose values on its instances tell nothing about a person. */
  impersonal: string[];
}

export interface PropertyModel {
  iri: string;
  kind: 'datatype' | 'object' | 'annotation';
  label: string;
  comment: string;
  /** How its literals are written, if stated (`date` = ISO 8601). */
  valueType?: ValueType | undefined;
  choices: string[];
  /** The property from whose values the container generates those of this one. */
  generatedFrom?: string | undefined;
  heading?: string | undefined;
  /** Its position on pages; Infinity when not stated. */
  order: number;
  trend?: TrendKind | undefined;
  /** The decimals that pages show at most, of numbers that are computed. */
  decimals?: number | undefined;
  shownAs?: ShownAsWord | undefined;
  /** What its values tell about a person. If not stated, they are hidden from users who may not know who that is. */
  identifying?: Identifying | undefined;
  precision?: Precision | undefined;
  /** A regular expression that a whole value fits which may be shown to them. */
  form?: string | undefined;
  /** The values that may be shown to them, since many people have them. */
  common?: string[] | undefined;
}

export interface CodeModel {
  iri: string;
  title: string;
  /** What pages show where its title is used. */
  heading?: string | undefined;
  system: string;
  identifier: string;
  classes: string[];
  broader: string[];
  /** Whether this status means that something is over. */
  isOver: boolean;
  /** Whether a reader must notice it, such as abnormal or severe. */
  isOutside: boolean;
  isCritical: boolean;
  /** Whether it goes without saying in lists, such as normal. */
  isPlain: boolean;
  /** Whether it is social or administrative, such as having a job. */
  isSocial: boolean;
  /** Where what has it stands; Infinity when not stated. */
  order: number;
  /** Classes and codes that the patient does not have. */
  denies: string[];
}

interface ArgumentModel {
  iri: string;
  name: string;
  comment: string;
  valueType: ValueType;
}

export interface ParameterModel extends ArgumentModel {
  choices: string[];
  /** SPARQL pattern over `?v` that holds when the parameter is present. */
  pattern?: string | undefined;
  /** With an operator, the pattern is read, not run: it only binds `?d`, and an index of the working set answers. */
  operator?: TextOperator | undefined;
  paths: string[][];
}

export interface FilterModel extends ArgumentModel {
  /** SPARQL pattern over `?v`; `{name}` or `$name` stands for the value; a date pattern only binds `?d`. */
  pattern: string;
  operator?: DateOperator | undefined;
  property?: string | undefined;
  /** All properties whose dates are compared: the pattern may name alternatives. */
  properties: string[];
  codeBase?: string | undefined;
}

export interface CallModel extends AnswerChoice {
  iri: string;
  /** Client method name; also the name of its query file. */
  name: string;
  path: string;
  pathParameters: readonly string[];
  scope: Scope;
  /** What a call about people discloses without their token (cg:discloses). */
  discloses?: Disclosure | undefined;
  target: string;
  defaultSort?: string | undefined;
  /** All properties whose values order the list: the alternatives of cg:sortPath, else the default sort. */
  sortProperties: string[];
  /** Paths to the names that order the list from A to Z, the most important first. */
  sortNames: string[][];
  contentType?: string | undefined;
  parameters: ParameterModel[];
  filters: FilterModel[];
  label: string;
  comment: string;
  allows?: string | undefined;
}

export interface Ontology {
  iri: string;
  version: string;
  /** Its parts, the lowest first. */
  layers: readonly Layer[];
  /** Prefix → namespace: the shared ones, and those of the layers. */
  prefixes: Readonly<Record<string, string>>;
  classes: Map<string, ClassModel>;
  properties: Map<string, PropertyModel>;
  codes: Map<string, CodeModel>;
  /** Complete calls in order of their IRIs; `checkOntology` reports incomplete ones. */
  calls: CallModel[];
  callByName: Map<string, CallModel>;
  /** Every declared IRI: typed as a class, property, individual, call, filter or parameter. */
  terms: Set<string>;
}

/** Whether a class is another or below it; an unknown class is only itself. */
export function isA(ontology: Pick<Ontology, 'classes'>, classIri: string, ancestorIri: string): boolean {
  if (classIri === ancestorIri) return true;
  return ontology.classes.get(classIri)?.ancestors.includes(ancestorIri) ?? false;
}

/** The rules that link instances of a class to other statements: answers follow them one step. */
export function linkRules(ontology: Pick<Ontology, 'classes'>, classModel: ClassModel): PropertyRule[] {
  return [...classModel.rules.values()].filter((rule) =>
    rule.classes.some((range) => isA(ontology, range, sp.Statement)),
  );
}
