import type { BatchResource } from './fhir-batch.js';
import { placeOf } from './fhir-resources.js';

/** Something that was counted, with where it was first seen: never what it says. */
export interface Seen {
  readonly count: number;
  readonly example: string;
}

/** Resources of one type. */
export interface TypeTally {
  /** How many there are in the file. */
  readonly resources: number;
  /** Of how many a statement was made. */
  readonly mapped: number;
  /** Where the first stands of which none was made. */
  readonly example?: string;
  /** Why none was made, as far as that is known. */
  readonly reasons?: Readonly<Record<string, Seen>>;
  /** Why none was made of others, which is as it should be. */
  readonly omitted?: Readonly<Record<string, Seen>>;
}

/** A tally in the making. */
interface TypeCount {
  resources: number;
  mapped: number;
  example?: string;
  readonly reasons: Map<string, Seen>;
  readonly omitted: Map<string, Seen>;
}

/** What became of the resources of one file, as `load --json` prints it. */
export interface ImportReport {
  readonly resources: Readonly<Record<string, TypeTally>>;
  /** Statements by class. */
  readonly statements: Readonly<Record<string, number>>;
  /** Resources of which none was made, and which are kept in words, by type. */
  readonly kept: Readonly<Record<string, Seen>>;
  /** Elements that no query reads although they change the meaning of statements that were made. */
  readonly meaning: Readonly<Record<string, Seen>>;
  /** Other elements that no query reads, of resources that statements were made of. */
  readonly unread: Readonly<Record<string, Seen>>;
  /** References that lead to nothing that is known. */
  readonly unresolved: Readonly<Record<string, Seen>>;
  /** Statements that the ontology does not allow, by what is wrong; they were left out. */
  readonly invalid: Readonly<Record<string, Seen>>;
  /** Classes of statements in which U+FFFD stands for characters that XML does not have. */
  readonly cleaned: Readonly<Record<string, Seen>>;
  /** Resources of which an older version still stands, since their statement was left out: `Condition/c1`. */
  readonly outdated: Readonly<Record<string, Seen>>;
  /** Resources that were deleted and whose statements of earlier loads stay: `Condition/c1 in record 1`. */
  readonly undeleted: Readonly<Record<string, Seen>>;
  /** Statements in other records that may be of the same resources, and stay: `Condition/c1 in record 1`. */
  readonly elsewhere: Readonly<Record<string, Seen>>;
  /** Records whose patients have ids that cannot be those of records. */
  readonly renamed: Readonly<Record<string, Seen>>;
  /** Elements with a plain value where FHIR R4 has an object. */
  readonly otherVersions: Readonly<Record<string, Seen>>;
  /** What is told of resources that are loaded all the same: `Patient: it is test data`. */
  readonly remarks: Readonly<Record<string, Seen>>;
  /** What says that a patient is another person than that of the record: `birth date of record 1`. */
  readonly others: Readonly<Record<string, Seen>>;
}

/** What is counted with the first place where it was seen. */
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

/** Counts what becomes of one file. */
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

  /** No statement was made of a resource. @param place where it stands @param reason why, where that is known */
  unmapped(type: string, place: string, reason?: string): void {
    const tally = this.#of(type);
    tally.example = earlier(tally.example, place);
    if (reason !== undefined) count(tally.reasons, reason, place);
  }

  /** No statement was made of a resource, as it should be. @param purpose why */
  omitted(type: string, place: string, purpose: string): void {
    const tally = this.#of(type);
    tally.example = earlier(tally.example, place);
    count(tally.omitted, purpose, place);
  }

  /** Counts, once, what is lost of a resource that a statement was made of. */
  lost({ resource, lost, unread, unresolved }: Omit<BatchResource, 'tally' | 'patient'>): void {
    for (const path of lost) this.saw('meaning', path, placeOf(resource));
    for (const path of unread.splice(0)) this.saw('unread', path, placeOf(resource));
    for (const path of unresolved.splice(0)) this.saw('unresolved', path, placeOf(resource));
    lost.clear();
  }

  statement(className: string): void {
    this.#statements.set(className, (this.#statements.get(className) ?? 0) + 1);
  }

  /** Counts what was seen of a kind. @param what in the words of the report @param place where */
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

/** Of two places the one that is read first: statements come in the order of their records. */
function earlier(known: string | undefined, place: string): string {
  return known !== undefined && compare(known, place) <= 0 ? known : place;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}
