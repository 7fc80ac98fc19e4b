import type { ImportReport, Seen } from './import-tally.js';
import type { LossTable } from './loss-table.js';

/** One kind of loss, over all files of a command. */
export interface Lost {
  /** An element, a type of resource, or a class of statements. */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** Among how many resources of the type. */
  readonly of?: number;
  /** File and place of the first, and its resource or record if known. */
  readonly example: string;
}

/** The results for the FHIR files of a command. */
export interface LoadSummary {
  readonly loss: {
    /** The record may not show what the source said. */
    readonly meaning: readonly Lost[];
    /** Resources, codes and references that have no place in a record. */
    readonly content: readonly Lost[];
    /** Unread elements that change nothing in read ones. */
    readonly bookkeeping: number;
  };
  /** Resources that gave no statement and should have. */
  readonly unmapped: number;
  /** Those that are kept in words, as unmapped, by type. */
  readonly kept: readonly Lost[];
  /** Those that should not have. */
  readonly omitted: readonly Lost[];
  /** Records that may belong to others, and files that may not be what they seem. */
  readonly doubtful: readonly Lost[];
}

/** The most lines for each harm, and the most items in the line of a list. */
const TOLD = 6;

/** Sums up the reports of files. @param losses the tables that define harm */
export function summaryOf(
  files: readonly { readonly file: string; readonly fhir: ImportReport }[],
  losses: LossTable,
): LoadSummary {
  const [meaning, content, omitted, doubtful] = [new Losses(), new Losses(), new Losses(), new Losses()];
  const [unmade, kept] = [new Losses(), new Losses()];
  const totals = new Map<string, number>();
  let [unmapped, bookkeeping] = [0, 0];
  for (const { file, fhir } of files) {
    const add = (to: Losses, what: string, reason: string, { count, example }: Seen): void =>
      to.add(what, reason, count, `${file}: ${example}`);
    /** Counts named resources by type; the name belongs to the place. */
    const addNamed = (to: Losses, seen: ImportReport['outdated'], reason: string): void => {
      for (const [name, { count, example }] of Object.entries(seen))
        add(to, name.replace(/\/.*$/u, ''), reason, { count, example: `${example}, ${name}` });
    };
    const { resources, unread, meaning: lost, invalid, unresolved, cleaned } = fhir;
    for (const [type, seen] of Object.entries(fhir.kept)) add(kept, type, 'kept in words', seen);
    for (const [path, seen] of Object.entries(lost)) add(meaning, path, losses.harmOf(path), seen);
    addNamed(meaning, fhir.outdated, 'an older version still stands, since the newer one was left out');
    addNamed(meaning, fhir.undeleted, 'it was deleted, and what an earlier load made of it still stands');
    for (const [type, { resources: all, mapped, example = '', ...why }] of Object.entries(resources)) {
      const { reasons = {}, omitted: own = {} } = why;
      totals.set(type, (totals.get(type) ?? 0) + all);
      unmapped += all - mapped - sum(own);
      for (const [reason, seen] of Object.entries(own)) add(omitted, type, reason, seen);
      for (const [reason, seen] of Object.entries(reasons)) add(unmade, type, reason, seen);
      const count = all - mapped - sum(own) - sum(reasons);
      if (count > 0) add(unmade, type, 'nothing was made of it', { count, example });
    }
    for (const [message, seen] of Object.entries(invalid)) {
      const [className = '', ...reason] = message.split(': ');
      add(content, className, losses.wordsFor(message) ?? reason.join(': '), seen);
    }
    for (const [path, seen] of Object.entries(unresolved))
      add(content, path, 'it refers to a resource that is not known', seen);
    for (const [name, seen] of Object.entries(cleaned))
      add(content, name, 'characters that XML does not have became U+FFFD', seen);
    addNamed(doubtful, fhir.elsewhere, 'it is in another record, too, and may be the same resource');
    for (const [id, { count, example }] of Object.entries(fhir.renamed))
      add(doubtful, 'Patient', 'its id cannot be that of a record, whose name was made for it', {
        count,
        example: `${example}, ${id}`,
      });
    for (const seen of Object.values(fhir.otherVersions))
      add(
        doubtful,
        'elements',
        'FHIR R4 has no plain value there: export again as R4 (4.0.1), since these are of another version',
        seen,
      );
    for (const [remark, seen] of Object.entries(fhir.remarks)) {
      const [what = '', ...reason] = remark.split(': ');
      add(doubtful, what, reason.join(': '), seen);
    }
    for (const [what, { count, example }] of Object.entries(fhir.others))
      add(doubtful, 'Patient', 'it may be another person than the one of the record, since these differ', {
        count,
        example: `${example}, ${what}`,
      });
    bookkeeping += sum(unread);
  }
  const ofResources = unmade.sorted().map((each) => ({ ...each, ...ofTotal(totals.get(each.what)) }));
  return {
    loss: { meaning: meaning.sorted(), content: byCount([...ofResources, ...content.sorted()]), bookkeeping },
    unmapped,
    kept: kept.sorted(),
    omitted: omitted.sorted(),
    doubtful: doubtful.sorted(),
  };
}

const ofTotal = (of: number | undefined): Pick<Lost, 'of'> => (of === undefined ? {} : { of });

const sum = (seen: Readonly<Record<string, Seen>>): number =>
  Object.values(seen).reduce((total, { count }) => total + count, 0);

const byCount = (lost: readonly Lost[]): Lost[] => [...lost].sort((a, b) => b.count - a.count);

/** Counts kinds of loss, each with its first example. */
class Losses {
  readonly #lost = new Map<string, Lost>();

  add(what: string, reason: string, count: number, example: string): void {
    const known = this.#lost.get(`${what}: ${reason}`);
    const total = { what, reason, count: (known?.count ?? 0) + count, example: known?.example ?? example };
    this.#lost.set(`${what}: ${reason}`, total);
  }

  /** The most frequent first. */
  sorted(): Lost[] {
    return byCount([...this.#lost.values()]);
  }
}

/** The summary in lines, the worst first; none where nothing was lost. */
export function summaryLines({ loss, kept, omitted, doubtful }: LoadSummary): string[] {
  const unmapped = kept.map(({ what, count }) => `${count} ${what}`);
  const left = omitted.map(({ what, reason, count }) => `${count} ${what} (${reason})`);
  return [
    ...section('Meaning was lost:', loss.meaning),
    ...section('To be looked at:', doubtful),
    ...section('Content was lost:', loss.content),
    ...(unmapped.length === 0 ? [] : [`Kept in words, as unmapped: ${few(unmapped)}.`]),
    ...(left.length === 0 ? [] : [`Left out on purpose: ${few(left)}.`]),
    ...(loss.bookkeeping === 0 ? [] : [`Other elements that were not read: ${loss.bookkeeping}.`]),
  ];
}

function section(title: string, lost: readonly Lost[]): string[] {
  const lines = lost.slice(0, TOLD).map((each) => `  ${lossSentence(each)}`);
  const more = lost.length - lines.length;
  return [
    ...(lost.length > 0 ? [title] : []),
    ...lines,
    ...(more > 0 ? [`  ${more} more kinds: --json.`] : []),
  ];
}

/** Describes one kind of loss in a sentence, without the content of a resource. */
export const lossSentence = ({ what, reason, count, of, example }: Lost): string =>
  `${count}${of === undefined ? '' : ` of ${of}`} ${what}: ${reason} (first: ${example})`;

/** Joins as many names as fit into a line. */
export const few = (names: readonly string[]): string =>
  names.length > TOLD
    ? `${names.slice(0, TOLD).join(', ')} and ${names.length - TOLD} more`
    : names.join(', ');
