import type { Graph } from '../../model/ontology/graph.js';
import { isA, type ClassModel, type Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import { termKey } from '../../rdf/term-key.js';
import type { Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { capital } from '../../http/html/readable.js';

export class ShownGraph {
  /** Cached, since codes occur in many statements. */
  readonly #classes = new Map<string, ClassModel | undefined>();

  constructor(
    readonly ontology: Ontology,
    readonly graph: Graph,
  ) {}

  classOf(subject: string | Term): ClassModel | undefined {
    const key = typeof subject === 'string' ? subject : termKey(subject);
    if (!this.#classes.has(key)) this.#classes.set(key, this.#findClass(key));
    return this.#classes.get(key);
  }

  #findClass(subject: string): ClassModel | undefined {
    const models = this.graph
      .objects(subject, rdf.type)
      .flatMap(({ value }) => this.ontology.classes.get(value) ?? []);
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
