import type { Quad } from '../rdf/terms.js';
import { sp, vcard } from '../rdf/vocabulary.js';
import type { MappedBatch } from './batch-resource.js';
import { placeOf } from './fhir-resources.js';
import type { MadeStatement } from './statement-graphs.js';

/** What distinguishes people, its name, and when two values may mean the same: 1950 may be any day of it. */
const marks = [
  {
    property: vcard.bday,
    title: 'birth date',
    isSame: (a: string, b: string) => a.startsWith(b) || b.startsWith(a),
  },
  { property: vcard['family-name'], title: 'family name', isSame: (a: string, b: string) => a === b },
] as const;

/**
 * Reports patients who seem to be other people than those of their records: ids may collide between servers, and an
 * operator may name the wrong record. Names also change, so this is no reason to refuse them.
 */
export class OtherPeople {
  /** What the load said about the patient of each record, even if the ontology then rejected it. */
  readonly #loaded = new Map<string, readonly string[][]>();

  /** @param stored returns the stored graph of a statement */
  constructor(private readonly stored: (name: string) => readonly Quad[] | undefined) {}

  /** Compares the patients of a batch with those of their records, before they are stored. */
  look(made: readonly MadeStatement[], { resources }: Pick<MappedBatch, 'resources'>): void {
    for (const { query, graph, recordId, resource } of made) {
      if (query.target.iri !== sp.Demographics) continue;
      const found = resources.get(resource);
      const known = this.#loaded.get(recordId) ?? marksIn(this.stored(graph.name) ?? []);
      const loaded = marksIn(graph.quads);
      this.#loaded.set(recordId, loaded);
      const others = marks.flatMap(({ title, isSame }, at) =>
        isOther(known[at], loaded[at], isSame) ? [title] : [],
      );
      if (!found || others.length === 0) continue;
      found.tally.saw('others', `${others.join(' and ')} of record ${recordId}`, placeOf(found.resource));
    }
  }
}

function marksIn(quads: readonly Quad[]): string[][] {
  return marks.map(({ property }) =>
    quads
      .filter(({ predicate }) => predicate.value === property)
      .map(({ object }) => object.value.normalize().trim().toLowerCase())
      .filter((text) => text !== ''),
  );
}

/** Whether two lists, both with values, have none in common. */
function isOther(
  known: readonly string[] = [],
  loaded: readonly string[] = [],
  isSame: (a: string, b: string) => boolean,
): boolean {
  if (known.length === 0 || loaded.length === 0) return false;
  return !known.some((one) => loaded.some((other) => isSame(one, other)));
}
