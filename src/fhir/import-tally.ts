import type { BatchResource } from './batch-resource.js';
import { placeOf } from './fhir-resources.js';

/** A count, with the place where it was first seen; never the content. */
export interface Seen {
  readonly count: number;
  readonly example: string;
}

/** Resources of one type. */
export interface TypeTally {
  /** How many the file has. */
  readonly resources: number;
  /** How many became a statement. */
  readonly mapped: number;
  /** The place of the first that did not. */
  readonly example?: string;
  /** Why it did not, if known. */
  readonly reasons?: Readonly<Record<string, Seen>>;
  /** Why others rightly did not. */
  readonly omitted?: Readonly<Record<string, Seen>>;
}

/** An unfinished tally. */
interface TypeCount {
  resources: number;
  mapped: number;
  example?: string;
  readonly reasons: Map<string, Seen>;
  readonly omitted: Map<string, Seen>;
}

/** The result for the resources of one file, as `load --json` prints it. */
export interface ImportReport {
  readonly resources: Readonly<Record<string, TypeTally>>;
  /** Statements by class. */
  readonly statements: Readonly<Record<string, number>>;
  /** Resources of which none was made, and which are kept in words, by type. */
  readonly kept: Readonly<Record<string, Seen>>;
  /** Elements that no query reads although they change the meaning of statements that were made. */
  readonly meaning: Readonly<Record<string, Seen>>;
  /** Other unread elements of resources that became statements. */
  readonly unread: Readonly<Record<string, Seen>>;
  /** References to unknown resources. */
  readonly unresolved: Readonly<Record<string, Seen>>;
  /** Statements left out because the ontology does not allow them, by violation. */
  readonly invalid: Readonly<Record<string, Seen>>;
  /** Classes of statements in which U+FFFD replaces characters that XML does not have. */
  readonly cleaned: Readonly<Record<string, Seen>>;
  /** Resources whose older statement stays, because the new one was left out: `Condition/c1`. */
  readonly outdated: Readonly<Record<string, Seen>>;
  /** Deleted resources whose statements of earlier loads stay: `Condition/c1 in record 1`. */
  readonly undeleted: Readonly<Record<string, Seen>>;
  /** Statements in other records that may come from the same resources, and stay: `Condition/c1 in record 1`. */
  readonly elsewhere: Readonly<Record<string, Seen>>;
  /** Records of patients whose ids cannot be record ids. */
  readonly renamed: Readonly<Record<string, Seen>>;
  /** Elements with a plain value where FHIR R4 has an object. */
  readonly otherVersions: Readonly<Record<string, Seen>>;
  /** Remarks on resources that are loaded anyway: `Patient: it is test data`. */
  readonly remarks: Readonly<Record<string, Seen>>;
  /** Signs that a patient is not the person of the record: `birth date of record 1`. */
  readonly others: Readonly<Record<string, Seen>>;
}

/** The tables that count things with the first place where they were seen. */
const kinds = [
  'kept',
  'meaning',
  'unread',
  'unresolved',
  'invalid',
  'cleaned',
  'outdated',
  'undeleted',
  'elsewhere',
  'renamed',
  'otherVersions',
  'remarks',
  'others',
] as const;
type Kind = (typeof kinds)[number];

const ofKinds = <T>(make: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>;

/** Counts the results of one file. */
export class ImportTally {
  readonly #resources = new Map<string, TypeCount>();
  readonly #statements = new Map<string, number>();
  readonly #seen = ofKinds(() => new Map<string, Seen>());

  resource(type: string): void {
    this.#of(type).resources++;
  }

  mapped(type: string): void {
    this.#of(type).mapped++;
  }

  /** Counts a resource without a statement. @param place in the file @param reason why, if known */
  unmapped(type: string, place: string, reason?: string): void {
    const tally = this.#of(type);
    tally.example = earlier(tally.example, place);
    if (reason !== undefined) count(tally.reasons, reason, place);
  }

  /** Counts a resource that rightly gave no statement. @param purpose why */
  omitted(type: string, place: string, purpose: string): void {
    const tally = this.#of(type);
    tally.example = earlier(tally.example, place);
    count(tally.omitted, purpose, place);
  }

  /** Counts, once, the losses of a resource that became a statement. */
  lost({ resource, lost, unread, unresolved }: Omit<BatchResource, 'tally' | 'patient'>): void {
    for (const path of lost) this.saw('meaning', path, placeOf(resource));
    for (const path of unread.splice(0)) this.saw('unread', path, placeOf(resource));
    for (const path of unresolved.splice(0)) this.saw('unresolved', path, placeOf(resource));
    lost.clear();
  }

  statement(className: string): void {
    this.#statements.set(className, (this.#statements.get(className) ?? 0) + 1);
  }

  /** Counts one thing of a kind. @param what in the words of the report @param place where it is */
  saw(kind: Kind, what: string, place: string): void {
    count(this.#seen[kind], what, place);
  }

  report(): ImportReport {
    return {
      resources: sorted(
        new Map(
          Array.from(this.#resources, ([type, { resources, mapped, example, reasons, omitted }]) => [
            type,
            {
              resources,
              mapped,
              ...(mapped < resources && example !== undefined && { example }),
              ...(reasons.size > 0 && { reasons: sorted(reasons) }),
              ...(omitted.size > 0 && { omitted: sorted(omitted) }),
            },
          ]),
        ),
      ),
      statements: sorted(this.#statements),
      ...ofKinds((kind) => sorted(this.#seen[kind])),
    };
  }

  #of(type: string): TypeCount {
    let found = this.#resources.get(type);
    if (!found) {
      found = { resources: 0, mapped: 0, reasons: new Map(), omitted: new Map() };
      this.#resources.set(type, found);
    }
    return found;
  }
}

function count(counts: Map<string, Seen>, key: string, example: string): void {
  const seen = counts.get(key);
  counts.set(key, { count: (seen?.count ?? 0) + 1, example: earlier(seen?.example, example) });
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Returns the first of two places in the file: statements come in the order of their records. */
function earlier(known: string | undefined, place: string): string {
  return known !== undefined && compare(known, place) <= 0 ? known : place;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}
