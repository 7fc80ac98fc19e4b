import { listedValues } from '../../model/ontology/allowed-literals.js';
import { isA, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { shortName } from '../../model/ontology/term-names.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { comment, fitted, key, quoted, union, type Names } from './client-text.js';
import { clientProperties, propertyRow, type ClientProperty } from './client-properties.js';

export interface ClientClass {
  readonly name: string;
  readonly model: ClassModel;
  readonly addressed: boolean;
}

export class ClientClasses {
  readonly #classes: ReadonlyMap<string, ClientClass>;
  readonly #unions = new Map<string, string>();

  /** Collects every class that has properties or is a range of one, except codes and terms of the API. */
  constructor(
    private readonly ontology: Ontology,
    names: Names,
  ) {
    const ranges = new Set([...ontology.classes.values()].flatMap(({ rules }) => rangesOf(rules)));
    const models = [...ontology.classes.values()]
      .filter(({ kind, iri }) => kind !== 'code' && iri !== rdf.List && !isA(ontology, iri, sp.SMARTAPI))
      .filter(({ rules, iri }) => rules.size > 0 || ranges.has(iri))
      .sort((a, b) => (a.iri < b.iri ? -1 : 1));
    this.#classes = new Map(
      models.map((model) => {
        const addressed = model.kind === 'statement' || model.basePath !== undefined;
        return [model.iri, { name: names.of(model.iri), model, addressed }];
      }),
    );
    for (const { name, model } of this.#classes.values()) {
      if (this.#below(model.iri).length > 1) this.#unions.set(model.iri, names.take(`Any${name}`));
    }
  }

  /** Returns the classes that a call with this target may answer with: those that share its path. */
  family(target: string): ClientClass[] {
    const asked = this.#classes.get(target);
    if (!asked) return [];
    const { basePath } = asked.model;
    const others = [...this.#classes.values()].filter(
      (other) => other !== asked && basePath !== undefined && other.model.basePath === basePath,
    );
    return [asked, ...others];
  }

  interfaces(): string {
    const used = new Set<string>();
    const interfaces = [...this.#classes.values()].map((each) => this.#interface(each, used));
    const unions = [...this.#unions]
      .filter(([, name]) => used.has(name))
      .map(([iri, name]) => {
        const members = this.#below(iri).map((below) => below.name);
        return `\n/** ${members[0]} or a class below it. */\n${union(`export type ${name} =`, members)}`;
      });
    return [...interfaces, ...unions].join('');
  }

  /** Writes the table of classes from which objects are made. */
  rows(): string {
    return [...this.#classes.values()]
      .map(({ name, model, addressed }) => {
        const above = model.ancestors.flatMap((iri) => this.#classes.get(iri)?.name ?? []);
        return (
          `    ${key(name)}: {\n      iri: ${quoted(shortName(model.iri))},\n      addressed: ${addressed},\n` +
          fitted('above: [', above.map(quoted), '],', { indent: '      ' }) +
          block('properties: {', this.#properties(model).map(propertyRow)) +
          '    },\n'
        );
      })
      .join('');
  }

  #interface({ name, model, addressed }: ClientClass, used: Set<string>): string {
    const members = this.#properties(model).map((property) => {
      const { rule } = property;
      const many = rule.max > 1;
      const head = `readonly ${key(property.name)}${many || rule.min > 0 ? '' : '?'}:`;
      const types = this.#types(property, used);
      const list = /[ ]/.test(types.join(' | ')) ? `(${types.join(' | ')})` : types.join('');
      const written = many ? `  ${head} readonly ${list}[];\n` : union(head, types, '  ');
      return comment(property.comment, '  ') + written;
    });
    const base = addressed ? 'Described' : 'Inner';
    const body = members.length === 0 ? '{}' : `{\n${members.join('')}}`;
    return (
      `\n${comment(model.comment || model.label)}` +
      `export interface ${name} extends ${base}<${quoted(name)}> ${body}\n`
    );
  }

  #types({ value, rule, ranges }: ClientProperty, used: Set<string>): string[] {
    if (value === 'text')
      return listedValues(rule.ranges.filter(({ on }) => on === undefined))?.map(quoted) ?? ['string'];
    if (value === 'code') return ['Code'];
    if (value === 'list') return ['readonly Thing[]'];
    if (value === 'any') return ['Thing'];
    return ranges.map(({ name, model }) => {
      const type = this.#unions.get(model.iri) ?? name;
      used.add(type);
      // A resource with an address may be given by name only.
      return this.#below(model.iri).some(({ addressed }) => addressed) ? `Link<${type}>` : type;
    });
  }

  #properties(model: ClassModel): ClientProperty[] {
    return clientProperties(this.ontology, model, this.#classes);
  }

  #below(iri: string): ClientClass[] {
    const all = [...this.#classes.values()];
    return [
      ...all.filter(({ model }) => model.iri === iri),
      ...all.filter(({ model }) => model.iri !== iri && isA(this.ontology, model.iri, iri)),
    ];
  }
}

const block = (open: string, rows: readonly string[]): string =>
  rows.length === 0 ? `      ${open}},\n` : `      ${open}\n${rows.join('')}      },\n`;

const rangesOf = (rules: ClassModel['rules']): string[] =>
  [...rules.values()].flatMap(({ classes }) => classes);
