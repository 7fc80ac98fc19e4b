import type { FhirDocument } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';

/** Reports pages of searches whose next page is not in the load: the rest is missing. */
export class Pages {
  readonly #read = new Set<string>();
  readonly #next = new Map<string, { readonly tally: ImportTally; readonly place: string }>();

  /** Notes which page a document is, and which one follows. */
  look({ page }: FhirDocument, tally: ImportTally): void {
    if (page?.self !== undefined) this.#read.add(page.self);
    if (page?.next !== undefined) this.#next.set(page.next, { tally, place: page.place });
  }

  /** Reports missing pages, after everything has been read. */
  tell(): void {
    for (const [url, { tally, place }] of this.#next)
      if (!this.#read.has(url))
        tally.saw(
          'remarks',
          'Bundle: it is a page of a search, and the one that follows is not in the load',
          `Bundle at ${place || 'the start'}`,
        );
  }
}
