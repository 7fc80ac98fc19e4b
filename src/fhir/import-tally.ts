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
}

/** A tally in the making. */
interface TypeCount {
  resources: number;
  mapped: number;
  example?: string;
  readonly reasons: Map<string, Seen>;
}

/** What became of the resources of one file, as `load --json` prints it. */
export interface ImportReport {
  readonly resources: Readonly<Record<string, TypeTally>>;
  /** Statements by class. */
  readonly statements: Readonly<Record<string, number>>;
  /** Elements that no query read, of resources that statements were made of. */
  readonly unread: Readonly<Record<string, Seen>>;
  /** References that lead to nothing that is known. */
  readonly unresolved: Readonly<Record<string, Seen>>;
  /** Statements that the ontology does not allow, by what is wrong; they were left out. */
  readonly invalid: Readonly<Record<string, Seen>>;
  /** Resources of which an older version still stands, since their statement was left out: `Condition/c1`. */
  readonly outdated: Readonly<Record<string, Seen>>;
  /** Statements in other records that may be of the same resources, and stay: `Condition/c1 in record 1`. */
  readonly elsewhere: Readonly<Record<string, Seen>>;
  /** Records whose patients have ids that cannot be those of records. */
  readonly renamed: Readonly<Record<string, Seen>>;
  /** What says that a patient is another person than that of the record: `birth date of record 1`. */
  readonly others: Readonly<Record<string, Seen>>;
}

/** What is counted with the first place where it was seen. */
const kinds = ['unread', 'unresolved', 'invalid', 'outdated', 'elsewhere', 'renamed', 'others'] as const;
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
          Array.from(this.#resources, ([type, { resources, mapped, example, reasons }]) => [
            type,
            {
              resources,
              mapped,
              ...(mapped < resources && example !== undefined && { example }),
              ...(reasons.size > 0 && { reasons: sorted(reasons) }),
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
    if (!found) this.#resources.set(type, (found = { resources: 0, mapped: 0, reasons: new Map() }));
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

/** What an operator has to know of a report: nothing is left out of a record without a sentence. */
export function reportSentences({
  resources,
  unread,
  unresolved,
  invalid,
  outdated,
  elsewhere,
  renamed,
  others,
}: ImportReport): string[] {
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  return [
    ...Object.entries(invalid).map(
      ([message, { count, example }]) =>
        `Left out ${count === 1 ? '1 statement' : `${count} statements`}: ${message} (first: ${example})`,
    ),
    ...sentenceOf(
      outdated,
      'An older version of 1 resource still stands, since the newer one was left out',
      (count) => `An older version of ${count} resources still stands, since the newer one was left out`,
    ),
    ...sentenceOf(
      elsewhere,
      '1 statement of a resource with the same type and id stays in another record, as nothing tells whether it is the same resource',
      (count) =>
        `${count} statements of resources with the same types and ids stay in other records, as nothing tells whether they are the same resources`,
    ),
    ...sentenceOf(
      renamed,
      'The id of 1 Patient cannot be the id of a record, whose name was made for it',
      (count) => `The ids of ${count} Patients cannot be ids of records, whose names were made for them`,
    ),
    ...sentenceOf(
      others,
      'A Patient may be another person than the one of the record; these differ',
      (count) => `${count} Patients may be other people than those of their records; these differ`,
    ),
    ...Object.entries(resources)
      .filter(([, { resources: all, mapped }]) => mapped < all)
      .flatMap(([type, { resources: all, mapped, example, reasons = {} }]) => [
        `${all - mapped} of ${all} ${type} gave no statement${example === undefined ? '' : ` (first: ${example})`}.`,
        ...reasonSentences(type, Object.entries(reasons)),
      ]),
    ...Object.entries(unresolved).map(
      ([path, { count, example }]) =>
        `${path} refers ${times(count)} to a resource that is not known (first: ${example}).`,
    ),
    ...unreadSentence(Object.entries(unread)),
  ];
}

/** So many of a list are named in a sentence; the report of the file has all. */
const NAMED = 5;
/** So many reasons are told of a type; the report of the file has all. */
const TOLD = 3;

function reasonSentences(type: string, reasons: readonly (readonly [string, Seen])[]): string[] {
  const most = [...reasons].sort(([, a], [, b]) => b.count - a.count);
  const told = most
    .slice(0, TOLD)
    .map(
      ([reason, { count, example }]) =>
        `${count} ${type} without a statement: ${reason} (first: ${example}).`,
    );
  const more = most.length - TOLD;
  return more > 0 ? [...told, `More reasons for ${type}: ${more}; --json lists them.`] : told;
}

function unreadSentence(unread: readonly (readonly [string, Seen])[]): string[] {
  if (unread.length === 0) return [];
  const most = [...unread].sort(([, a], [, b]) => b.count - a.count);
  const named = most.map(([path, { count, example }]) => `${path} (${count}, first: ${example})`);
  const all = unread.reduce((sum, [, { count }]) => sum + count, 0);
  return [`No query reads ${all === 1 ? '1 element' : `${all} elements`}: ${few(named, ' kinds')}.`];
}

/** A sentence with the names of what was seen, where something was. @param what of one of them, and of several */
function sentenceOf(seen: ImportReport[Kind], one: string, several: (count: number) => string): string[] {
  const named = Object.entries(seen).map(([name, { example }]) => `${name} (${example})`);
  if (named.length === 0) return [];
  return [`${named.length === 1 ? one : several(named.length)}: ${few(named)}.`];
}

/** As many names as a sentence takes. @param kinds what the names are, after their number */
function few(names: readonly string[], kinds = ''): string {
  return names.length > NAMED
    ? `among them ${names.slice(0, NAMED).join(', ')}; --json lists all ${names.length}${kinds}`
    : names.join(', ');
}
