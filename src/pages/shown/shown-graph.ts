import type { Graph } from '../../model/ontology/graph.js';
import { isA, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import type { Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { capital } from '../../http/html/readable.js';

export class ShownGraph {
  /** By the types of a subject. */
  readonly #classes = new Map<string, ClassModel | undefined>();

  constructor(
    readonly ontology: Ontology,
    readonly graph: Graph,
  ) {}

  classOf(subject: string | Term): ClassModel | undefined {
    const types = this.graph.objects(subject, rdf.type);
    const key = types.length === 1 ? (types[0]?.value ?? '') : types.map(({ value }) => value).join(' ');
    if (!this.#classes.has(key)) this.#classes.set(key, this.#findClass(types));
    return this.#classes.get(key);
  }

  #findClass(types: readonly Term[]): ClassModel | undefined {
    const models = types.flatMap(({ value }) => this.ontology.classes.get(value) ?? []);
    const own = models.filter(
      ({ iri }) => !models.some((other) => other.iri !== iri && isA(this.ontology, other.iri, iri)),
    );
    return own.find(({ shown, rules }) => shown.title.length > 0 || rules.size > 0) ?? own[0];
  }

  first(subject: string | Term, properties: readonly string[]): string | undefined {
    for (const property of properties) {
      const value = this.graph.value(subject, property);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  label(property: string): string {
    const known = this.ontology.properties.get(property);
    return capital(known?.heading ?? known?.label ?? localName(property));
  }
}
