import { allows, rangeInWords } from '../ontology/allowed-literals.js';
import type { Graph } from '../ontology/graph.js';
import { isA, type Ontology, type PropertyRule } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { termKey, termText } from '../../rdf/term-key.js';
import type { Literal, Term } from '../../rdf/terms.js';
import { rdf, sp, xsd } from '../../rdf/vocabulary.js';
import { hasDatatype } from '../../rdf/datatypes.js';
import type { NodeTypes } from './node-rules.js';
import { isLink } from './shapes/range-shapes.js';
import type { Violation } from './violation.js';

/** Up to this many values are checked again for each node that refers to them. */
const FEW = 4;

interface Place {
  readonly node: string;
  readonly what: string;
  readonly rule: PropertyRule;
}

/**
 * Checks the objects of restricted properties: their kind, class, and required code or unit. An object with many
 * values is checked once, however many nodes refer to it.
 */
export class ObjectChecks {
  readonly #checked = new Set<string>();

  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
    private readonly types: NodeTypes,
  ) {}

  violations(place: Place, object: Term): Violation[] {
    const { node, what, rule } = place;
    const { property } = rule;
    const at = { node, property, value: termText(object) };
    const name = `${shortName(property)} of ${what}`;
    if (object.termType === 'Literal') {
      const fault = literalFault(rule, object);
      if (fault) return [{ ...at, rule: fault.rule, message: `${name} must be a ${fault.says}.` }];
      return rule.ranges
        .filter((range) => range.on === undefined && !allows(range, object))
        .map((range) => ({ ...at, rule: 'value', message: `${name} must be ${rangeInWords(range)}.` }));
    }
    if (rule.literal) {
      // Data ranges contain only literals, even those of IRIs.
      const isBounded = rule.ranges.some(({ on }) => on === undefined);
      if (rule.datatype === xsd.anyURI && object.termType === 'NamedNode' && !isBounded) return [];
      return [{ ...at, rule: 'literal', message: `${name} must be a literal, it is a node.` }];
    }
    const says = this.#rangeFault(rule, object);
    const found = [
      ...this.#fixedViolations(rule, object, name),
      ...this.#codeViolations(rule, object, name),
      ...this.#valueViolations(rule, object, name),
    ];
    if (says === undefined) return found;
    const message = `${name} must be a ${names(rule.classes)}, ${says}.`;
    return [{ ...at, rule: 'range', message }, ...found];
  }

  #rangeFault({ classes }: PropertyRule, object: Term): string | undefined {
    if (classes.length === 0) return undefined;
    // List nodes need not state their class.
    const isList = this.graph.objects(object, rdf.first).length > 0 || object.value === rdf.nil;
    if (isList && classes.some((range) => isA(this.ontology, rdf.List, range))) return undefined;
    if (this.types.isOneOf(object, classes)) return undefined;
    if (isList || this.types.of(object).length > 0) return 'it has another class';
    // A link to another resource carries no description of it; an embedded node must be described.
    const links = classes.some((range) => isLink(this.ontology, range));
    return links && object.termType === 'NamedNode' ? undefined : 'it states no class';
  }

  #fixedViolations(rule: PropertyRule, object: Term, name: string): Violation[] {
    return rule.fixed.flatMap(({ property, value }) => {
      const message = `${shortName(property)} in ${name} must be ${JSON.stringify(value)}, it is another value.`;
      const once = `${property} ${JSON.stringify(value)}`;
      return this.#wrongValues(
        object,
        property,
        once,
        { rule: 'unit', message },
        (found) => found.value !== value,
      );
    });
  }

  #codeViolations({ codeClass }: PropertyRule, object: Term, name: string): Violation[] {
    if (codeClass === undefined) return [];
    const message = `The code in ${name} must be typed ${shortName(codeClass)}.`;
    const isWrong = (code: Term): boolean => !this.types.isOneOf(code, [codeClass]);
    return this.#wrongValues(object, sp.code, codeClass, { rule: 'code', message }, isWrong);
  }

  #valueViolations({ ranges }: PropertyRule, object: Term, name: string): Violation[] {
    return ranges.flatMap((range) => {
      if (range.on === undefined) return [];
      const message = `${shortName(range.on)} in ${name} must be ${rangeInWords(range)}.`;
      const isWrong = (value: Term): boolean => value.termType !== 'Literal' || !allows(range, value);
      return this.#wrongValues(object, range.on, message, { rule: 'value', message }, isWrong);
    });
  }

  #wrongValues(
    object: Term,
    property: string,
    once: string,
    fault: Pick<Violation, 'rule' | 'message'>,
    isWrong: (value: Term) => boolean,
  ): Violation[] {
    const values = this.graph.objects(object, property);
    if (values.length > FEW && this.#isChecked(once, object)) return [];
    return values
      .filter(isWrong)
      .map((value) => ({ ...fault, node: termText(object), property, value: termText(value) }));
  }

  #isChecked(what: string, object: Term): boolean {
    return this.#checked.size === this.#checked.add(`${what} ${termKey(object)}`).size;
  }
}

function literalFault(
  { classes, datatype }: PropertyRule,
  literal: Literal,
): { rule: 'range' | 'literal'; says: string } | undefined {
  if (classes.length > 0) return { rule: 'range', says: `${names(classes)}, it is a literal` };
  // Data writes IRIs as plain text, as IRIs and with the datatype.
  if (datatype === undefined || datatype === xsd.anyURI || hasDatatype(literal, datatype)) return undefined;
  return { rule: 'literal', says: `literal of the datatype ${shortName(datatype)}` };
}

function names(classes: readonly string[]): string {
  return classes.map(shortName).join(' or ');
}
