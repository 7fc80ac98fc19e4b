import type { Literal } from '../rdf/terms.js';
import { sp } from '../rdf/vocabulary.js';
import type { AnswerChoice } from './answer-forms.js';
import type { ValueType } from './value-types.js';

/** Who a call belongs to, hence what credentials it needs. */
export const scopes = ['container', 'record', 'user', 'app'] as const;
export type Scope = (typeof scopes)[number];

/** What a date filter asks of a stored date; see `query/partial-date.ts` for the meaning of each. */
export const dateOperators = ['from', 'from_excluding', 'to', 'to_excluding'] as const;
export type DateOperator = (typeof dateOperators)[number];

/** How a search term is validated against a name or a text: see `query/name-index.ts` and `query/text-index.ts`. */
export const textOperators = ['begins', 'equals'] as const;
export type TextOperator = (typeof textOperators)[number];

/** What a call shows to everybody who may use the calls of the container: `directory` is who people are. */
export const disclosures = ['directory'] as const;
export type Disclosure = (typeof disclosures)[number];

/** Where the page of a record shows the instances of a class. */
export const shownGroups = ['person', 'current', 'history'] as const;
export type ShownGroup = (typeof shownGroups)[number];

/** How quantities of a property are drawn where not simply over time. */
export const trendKinds = ['age', 'none'] as const;
export type TrendKind = (typeof trendKinds)[number];

/**
 * What the values of a property tell of a person, the most telling first: who it is, anything at all, a day, a place,
 * nothing by itself (docs/deidentification.md).
 */
export const identifyings = ['direct', 'text', 'place', 'date', 'none'] as const;
export type Identifying = (typeof identifyings)[number];

/** How much of a date is shown to those who may not know who a person is. */
export const precisions = ['year'] as const;
export type Precision = (typeof precisions)[number];

export type ClassKind = 'statement' | 'component' | 'code' | 'container' | 'other';

/** What bounds the values of a data range, or the number of their characters, on one side. */
export interface Limit {
  of: 'value' | 'length';
  side: 'least' | 'most';
  /** True where the bound itself is outside. */
  open: boolean;
  /** As the ontology writes it. */
  bound: string;
}

/** Which literals there may be (OWL 2 Structural Specification §7): some values of a datatype, or those of a list. */
export interface DataRange {
  /** The property of the linked node that it is about, such as its number; none where it is about the values themselves. */
  on?: string;
  /** rdfs:Literal where the values are listed. */
  datatype: string;
  limits: Limit[];
  /** The only values, empty where they are not listed. */
  listed: Literal[];
}

/** What the ontology asks of one property on instances of one class; `max` is Infinity where nothing bounds it. */
export interface PropertyRule {
  property: string;
  min: number;
  max: number;
  /** Classes of the object, empty where nothing is said. */
  classes: string[];
  /** True where the value is a literal. */
  literal: boolean;
  /** Datatype named by the restriction, where it is not plain rdfs:Literal. */
  datatype?: string;
  /** Class that the code of the linked sp:CodedValue has. */
  codeClass?: string;
  /** Values that the linked node has on a property of its own, such as its unit. */
  fixed: { property: string; value: string }[];
  /** What its literals, or those of the linked node, may be: all of these hold. */
  ranges: DataRange[];
  /** The class that states the rule: the nearest where several do. */
  from: string;
}

/** What a class says of how pages show its instances; properties by their IRIs, empty where nothing is said. */
export interface ShownAs {
  title: string[];
  date: string[];
  until: string[];
  status: string[];
  summary: string[];
  value: string[];
  unit: string[];
  range: string[];
  minimum: string[];
  maximum: string[];
  code: string[];
  group?: ShownGroup;
  /** Infinity where nothing is said. */
  order: number;
}

export interface ClassModel {
  iri: string;
  /** Local name. */
  name: string;
  label: string;
  /** Its name for several, where it has one. */
  plural: string;
  /** What people call its instances, where that is another word. */
  heading?: string;
  comment: string;
  shown: ShownAs;
  /** What letting an app read it means, in words for people. */
  allows?: string;
  /** All named superclasses, nearest first, without the class itself. */
  ancestors: string[];
  kind: ClassKind;
  /** Path of one instance below the base URL, with placeholders. */
  basePath?: string;
  /** Own and inherited rules by property, the tightest of each. */
  rules: Map<string, PropertyRule>;
  /** The only instances, where the class is an enumeration. */
  members?: string[];
  /** Properties whose values tell nothing of a person on its instances, its own and inherited ones. */
  impersonal: string[];
}

export interface PropertyModel {
  iri: string;
  kind: 'datatype' | 'object' | 'annotation';
  label: string;
  comment: string;
  /** How its literals are written, where the ontology says so (`date` = ISO 8601). */
  valueType?: ValueType;
  /** The only values, empty where any is allowed. */
  choices: string[];
  /** The property whose value the container makes values of this one from when it answers. */
  generatedFrom?: string;
  /** What people call it, where that is another word than its label. */
  heading?: string;
  /** Its place on pages, Infinity where nothing is said. */
  order: number;
  trend?: TrendKind;
  /** What its values tell of a person; where nothing is said, nobody sees them who may not know who that is. */
  identifying?: Identifying;
  precision?: Precision;
}

export interface CodeModel {
  iri: string;
  title: string;
  system: string;
  identifier: string;
  classes: string[];
  /** The codes that it is a kind of, as stated: IRIs, sorted. */
  broader: string[];
  /** Whether it says of what has it as its status that it is over. */
  isOver: boolean;
  /** Whether it says of a result that it is not normal. */
  isOutside: boolean;
}

export interface ParameterModel {
  iri: string;
  name: string;
  comment: string;
  valueType: ValueType;
  choices: string[];
  /** SPARQL pattern over `?v` that holds when the parameter is present. */
  pattern?: string;
  /** With an operator the pattern is read, not run: it only binds `?d`, and an index of the working set answers. */
  operator?: TextOperator;
  /** The paths to what the operator compares, each as its properties. */
  paths: string[][];
}

export interface FilterModel {
  iri: string;
  name: string;
  comment: string;
  valueType: ValueType;
  /** SPARQL pattern over `?v`; `{name}` or `$name` stands for the value, a date pattern only binds `?d`. */
  pattern: string;
  operator?: DateOperator;
  /** The (first) property whose date is compared. */
  property?: string;
  /** All properties whose dates are compared, where the pattern names alternatives. */
  properties: string[];
  /** What stands before `{name}` in the code's IRI. */
  codeBase?: string;
}

export interface CallModel extends AnswerChoice {
  iri: string;
  /** Client method name; also the name of its query file. */
  name: string;
  /** Path below the base URL with placeholders in braces. */
  path: string;
  pathParameters: readonly string[];
  scope: Scope;
  /** Where a call about people asks for no token of theirs: what it discloses, as cg:discloses says. */
  discloses?: Disclosure;
  /** Class of what the call answers with or takes. */
  target: string;
  /** Property whose values order the list. */
  defaultSort?: string;
  /** All properties whose values order the list: the alternatives of cg:sortPath, else the default sort. */
  sortProperties: string[];
  /** Paths to the names that order the list from A to Z, the first counting most. */
  sortNames: string[][];
  contentType?: string;
  parameters: ParameterModel[];
  filters: FilterModel[];
  label: string;
  comment: string;
  /** What making it means, in words for people. */
  allows?: string;
}

export interface Ontology {
  iri: string;
  version: string;
  classes: Map<string, ClassModel>;
  properties: Map<string, PropertyModel>;
  codes: Map<string, CodeModel>;
  /** Complete calls in order of their IRIs; incomplete ones are left to `checkOntology`. */
  calls: CallModel[];
  callByName: Map<string, CallModel>;
  /** Every IRI that is declared: typed as a class, property, individual, call, filter or parameter. */
  terms: Set<string>;
}

/** Whether a class is another or beneath it; an unknown class is only itself. */
export function isA(ontology: Pick<Ontology, 'classes'>, classIri: string, ancestorIri: string): boolean {
  if (classIri === ancestorIri) return true;
  return ontology.classes.get(classIri)?.ancestors.includes(ancestorIri) ?? false;
}

/** The rules of a class that link its instances to other statements: what "one element deep" follows. */
export function linkRules(ontology: Pick<Ontology, 'classes'>, classModel: ClassModel): PropertyRule[] {
  return [...classModel.rules.values()].filter((rule) =>
    rule.classes.some((range) => isA(ontology, range, sp.Statement)),
  );
}
