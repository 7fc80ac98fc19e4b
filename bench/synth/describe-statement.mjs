import { isA } from '../../dist/model/ontology/model.js';
import { literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { dcterms, mediaTypes, rdf, rdfs, sp, xsd } from '../../dist/rdf/vocabulary.js';
import { chanceOf, listMembers } from './plan.mjs';
import { fitted } from './fitted-literal.mjs';
import { inventDate, inventLiteral, inventNumber, quantityOf } from './invented-values.mjs';
import { habitKey } from './seed-habits.mjs';

const isCoded = ({ classes }) => classes.includes(sp.CodedValue);

/** What a number of a result may be, and the ends of its normal range, which are the same for everybody. */
function measured(measure, property) {
  if (!measure) return undefined;
  const { unit, decimals, from, to, low, high } = measure;
  if (property === sp.valueAndUnit) return { unit, decimals, from, to };
  if (property === sp.minimum) return { unit, decimals, from: low, to: low };
  if (property === sp.maximum) return { unit, decimals, from: high, to: high };
  return undefined;
}

/** The data ranges of a literal: those of its own class, and those of what led to the node. */
function rangesOf({ property, ranges }, leading) {
  const fromAbove = leading?.ranges.filter(({ on }) => on === property) ?? [];
  return [...ranges.filter(({ on }) => on === undefined), ...fromAbove];
}

const PLAIN_TEXT = 'text/plain';

/**
 * The quads of an invented statement: what the rules of its class require, and some of what they allow, down through
 * its components. A class that nobody has heard of is described as well as any other.
 */
export function describeStatement(iri, model, record, around) {
  const writer = new Description(around);
  const subject = namedNode(iri);
  writer.say(subject, sp.belongsTo, namedNode(record));
  writer.instance(subject, model.iri, undefined);
  return writer.quads;
}

class Description {
  quads = [];
  #around;
  #coded = new Set();
  /** What is measured under the code that the statement has been given. */
  #measure;

  constructor(around) {
    this.#around = around;
  }

  say(subject, property, object) {
    this.quads.push(quad(subject, namedNode(property), object));
  }

  /** Describes a node as an instance of a class. @param rule what led to it */
  instance(node, classIri, rule) {
    this.say(node, rdf.type, namedNode(classIri));
    const { ontology, person } = this.#around;
    const quantity = isA(ontology, classIri, sp.ValueAndUnit)
      ? (measured(this.#measure, rule?.property) ?? quantityOf(rule?.property ?? ''))
      : undefined;
    const special = quantity
      ? {
          [sp.value]: (ranges) => literal(fitted(inventNumber(quantity, person), ranges, person.random)),
          [sp.unit]: (ranges) => {
            const fixed = rule?.fixed.find(({ property }) => property === sp.unit)?.value;
            return literal(fitted(fixed ?? quantity.unit ?? '1', ranges, person.random));
          },
          [sp.vitalName]: () => this.#vitalName(quantity.code),
        }
      : {};
    // Codes come first: they say what the numbers are of.
    const rules = [...(ontology.classes.get(classIri)?.rules.values() ?? [])];
    for (const own of [...rules.filter(isCoded), ...rules.filter((each) => !isCoded(each))]) {
      if (own.property === sp.belongsTo) continue;
      const make = special[own.property];
      const ranges = rangesOf(own, rule);
      const count = make ? 1 : this.#count(own, rule !== undefined);
      for (let index = 0; index < count; index++) {
        const object = make ? make(ranges) : this.#object(own, classIri, ranges);
        if (object) this.say(node, own.property, object);
      }
    }
  }

  #count({ property, min, max, classes }, component) {
    const { ontology, person } = this.#around;
    if (min === 0) return person.random.chance(chanceOf(property, component)) ? 1 : 0;
    // A panel has several results; most else that may come several times comes once.
    const links = classes.some((range) => isA(ontology, range, sp.Statement));
    return max === Infinity && links ? min + person.random.integer(0, 3) : min;
  }

  #object(rule, classIri, ranges) {
    const { ontology, person, link, habits } = this.#around;
    const [range] = rule.classes;
    if (range === undefined) return rule.literal ? this.#literal(rule, ranges) : undefined;
    if (range === rdf.List) return this.#list(rule.property);
    if (isA(ontology, range, sp.Statement))
      return namedNode(link(range, rule.max === Infinity && rule.min > 0));
    if (range === sp.CodedValue) {
      const known = habits?.codes.get(habitKey(classIri, rule.property));
      const code = person.random.pick(known ?? this.#around.codes(rule.codeClass ?? sp.Code));
      this.#measure = habits?.measures.get(code.iri) ?? this.#measure;
      return this.#codedValue(code, rule.codeClass);
    }
    if (range === dcterms.MediaTypeOrExtent) return this.#plainText();
    const node = this.#around.blank();
    this.instance(node, range, rule);
    return node;
  }

  #literal({ property, datatype }, ranges) {
    const { ontology, person } = this.#around;
    const { valueType, choices = [] } = ontology.properties.get(property) ?? {};
    const invented =
      valueType === 'date'
        ? inventDate(property, person)
        : choices.length > 0
          ? person.random.pick(choices)
          : inventLiteral(property, person);
    const isPlain =
      valueType === 'date' || choices.length > 0 || datatype === undefined || datatype === xsd.anyURI;
    return literal(fitted(invented, ranges, person.random), isPlain ? undefined : namedNode(datatype));
  }

  #vitalName(identifier) {
    const { codes } = this.#around;
    const codeClass = this.#around.ontology.classes.get(sp.VitalSign)?.rules.get(sp.vitalName)?.codeClass;
    const code =
      codeClass === undefined ? undefined : codes(codeClass).find((each) => each.identifier === identifier);
    return code && this.#codedValue(code, codeClass);
  }

  #codedValue({ iri, title, system, identifier }, codeClass) {
    const node = this.#around.blank();
    const code = namedNode(iri);
    this.say(node, rdf.type, namedNode(sp.CodedValue));
    this.say(node, dcterms.title, literal(title));
    this.say(node, sp.code, code);
    if (codeClass !== undefined && codeClass !== sp.Code) this.#once(code, rdf.type, namedNode(codeClass));
    this.#once(code, rdf.type, namedNode(sp.Code));
    this.#once(code, dcterms.title, literal(title));
    this.#once(code, sp.system, literal(system));
    this.#once(code, dcterms.identifier, literal(identifier));
    return node;
  }

  /** Codes are described once in a statement, however often it uses them. */
  #once(subject, property, object) {
    const key = `${subject.value} ${property} ${object.value}`;
    if (this.#coded.size !== this.#coded.add(key).size) this.say(subject, property, object);
  }

  #plainText() {
    const format = namedNode(mediaTypes + PLAIN_TEXT);
    this.#once(format, rdf.type, namedNode(dcterms.MediaTypeOrExtent));
    this.#once(format, rdfs.label, literal(PLAIN_TEXT));
    return format;
  }

  #list(property) {
    const member = listMembers[property];
    if (member === undefined) return undefined;
    let list = namedNode(rdf.nil);
    for (let left = this.#around.person.random.integer(1, 3); left > 0; left--) {
      const node = this.#around.blank();
      this.say(node, rdf.first, namedNode(this.#around.link(member, true)));
      this.say(node, rdf.rest, list);
      list = node;
    }
    return list;
  }
}
