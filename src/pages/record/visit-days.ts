import type { Ontology } from '../../model/ontology/model.js';
import { LARGEST_PAGE } from '../../records/lists/page-limits.js';
import { begins, kindsOf } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { dateFilter } from './overview.js';
import { irisOf, type RecordReads } from './record-reads.js';

/** What is of the days of a visit. */
export interface VisitDays {
  /** What was done or began in these days, and what is kept in words of them. */
  readonly sameDays: readonly ShownStatement[];
  /** What had begun before, and ended in these days. */
  readonly ended: readonly ShownStatement[];
  /** How many are not read, since there are too many. */
  readonly left: number;
}

const MOST = { limit: String(LARGEST_PAGE) };
/** The number of other visits whose entries are left out, the latest ones. */
const MOST_VISITS = 20;

/** Reads what is of the days of a visit, but for what belongs to another one; nothing for any other statement. */
export async function daysOfVisit(
  reads: RecordReads,
  ontology: Ontology,
  { model, iri, date, until }: ShownStatement,
): Promise<VisitDays> {
  const sameDays: ShownStatement[] = [];
  const ended: ShownStatement[] = [];
  let left = 0;
  if (model.shown.as !== 'visit' || date === undefined) return { sameDays, ended, left };
  const [first, last] = [date.slice(0, 10), (until ?? date).slice(0, 10)];
  const isThen = (time = ''): boolean => first <= time.slice(0, 10) && time.slice(0, 10) <= last;
  for (const kind of kindsOf(ontology)) {
    const isUnmapped = kind.model.insteadOf !== undefined;
    const [from, to] = [dateFilter(kind, 'from'), dateFilter(kind, 'to')];
    const hasFilters = from !== undefined && to !== undefined;
    if (hasFilters && (kind.group === 'history' || begins(kind.model) || isUnmapped)) {
      const { members, total } = await reads.find(kind, { ...MOST, [from]: first, [to]: last });
      sameDays.push(...(await reads.known(kind, irisOf(members))));
      left += total - members.length;
    } else if (isUnmapped) {
      const { members } = await reads.find(kind, MOST);
      sameDays.push(...(await reads.known(kind, irisOf(members.filter((each) => isThen(each.date))))));
    }
    if (!begins(kind.model)) continue;
    const { members } = await reads.find(kind, MOST);
    const begun = new Set(irisOf(sameDays));
    const endings = irisOf(members.filter((each) => isThen(each.until))).filter((iri) => !begun.has(iri));
    ended.push(...(await reads.known(kind, endings)).filter(({ isOver }) => isOver));
  }
  const elsewhere = await ofOtherVisits(reads, ontology, iri, first, last);
  const isHere = (each: ShownStatement): boolean => !elsewhere.has(each.iri);
  return { sameDays: sameDays.filter(isHere), ended: ended.filter(isHere), left };
}

/** Finds the entries that link to other visits of the same days: stays may overlap, and a day may have several visits. */
async function ofOtherVisits(
  reads: RecordReads,
  ontology: Ontology,
  iri: string,
  first: string,
  last: string,
): Promise<ReadonlySet<string>> {
  const linked = new Set<string>();
  for (const kind of kindsOf(ontology).filter(({ model }) => model.shown.as === 'visit')) {
    const { members } = await reads.find(kind, MOST);
    const others = members.filter(
      ({ iri: other, date = '', until = date }) =>
        other !== iri && date.slice(0, 10) <= last && first <= until.slice(0, 10),
    );
    for (const each of others.slice(0, MOST_VISITS))
      for (const own of await reads.linking({ model: kind.model, iri: each.iri })) linked.add(own);
  }
  return linked;
}
