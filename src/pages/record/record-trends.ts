import { recordPage, recordPaths } from './frame.js';
import { trendsContent } from './trends-page.js';
import { DATE_PROBLEM, typedDate } from '../../http/html/typed-date.js';
import { instants } from '../../model/query/partial-date.js';
import { resultsOf } from '../shown/results.js';
import type { ShownStatement, StatementHead } from '../shown/shown-statement.js';
import { headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import { beginningOf } from '../shown/timeline.js';
import { lastDayOf, trendsOf, type Measured, type Trend } from '../shown/trends.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import { recordAnswer, frameOf, pathsOfStatements } from './record-frame.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { ListArguments } from '../../http/record-data.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { dateFilter } from './overview.js';
import { atOnce, stepwise, type Stepwise } from '../../store/steps.js';
import type { StatementReader } from '../shown/statement-reader.js';
import { irisOf, type RecordReads, type RecordParts } from './record-reads.js';

const MAX_STATEMENTS = 1000;
const MAX_CHARTS = 12;

/** `/account/trends/{record_id}`: measurements over time. */
export function trends(site: Site, parts: RecordParts, request: PageRequest, opened: OpenedRecord): Answer {
  const { ontology } = parts;
  const { page } = request.visitor;
  const { record, birthday } = opened.holder;
  const fields = readFields(request.target.query);
  const [from = '', to = ''] = ['from', 'to'].map((name) => typedDate(fields.get(name) ?? ''));
  const of = fields.get('of') ?? '';
  const isDay = (text: string): boolean => text === '' || instants(text) !== undefined;
  const today = new Date().toISOString().slice(0, 10);
  const shown = {
    path: recordPaths(site.basePath, record).trends,
    of,
    birthday,
    today,
    isPartClosed: opened.data.isPartClosed,
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  };
  const head = { tab: 'trends', title: 'Trends' } as const;
  if (!isDay(from) || !isDay(to)) {
    const nothing = { trends: [], every: [], most: 0, from: '', to: '', until: today, cut: [] };
    const content = atOnce(trendsContent({ ...shown, ...nothing, problem: DATE_PROBLEM }));
    return pageAnswer(page, recordPage(page, frameOf(opened, ontology), { ...head, content }), {
      status: 400,
    });
  }
  const isAll = fields.get('all') === '1';
  return recordAnswer(site, parts, request, opened, {
    ...head,
    parameters: [of, from, to, isAll ? 'all' : ''],
    draw: async (reads) => {
      const { whole, read, titles } = await readTrends(ontology, reads, { of, from, to });
      const latest = whole ? undefined : await latestDay(ontology, reads);
      return request.inSteps(async (pause) => {
        const drawn = await stepwise(trendsIn(read, titles, birthday), pause);
        const every =
          whole && whole !== read ? await stepwise(trendsIn(whole, titles, birthday), pause) : drawn;
        const most = isAll ? drawn.length : MAX_CHARTS;
        const until = [latest ?? lastDayOf(every), today].sort()[0] || today;
        const cut = read.filter(({ isCut }) => isCut);
        const page = { ...shown, trends: drawn, every, most, from, to, until, cut };
        return stepwise(trendsContent(page), pause);
      });
    },
  });
}

type Read = Awaited<ReturnType<typeof measurements>>;

/** Reads what is drawn; of one test, also of other specimens, and the whole time whatever part is drawn. */
async function readTrends(
  ontology: Ontology,
  reads: RecordReads,
  { of, from, to }: { readonly of: string; readonly from: string; readonly to: string },
) {
  if (of === '') return { read: await measurements(ontology, reads, { titles: [], from, to }), titles: [] };
  const whole = await measurements(ontology, reads, { titles: [of], from: '', to: '' });
  const titles = [...new Set([of, ...whole.flatMap((each) => each.titles)])];
  const isWhole = from === '' && to === '';
  return { whole, titles, read: isWhole ? whole : await measurements(ontology, reads, { titles, from, to }) };
}

/** Makes the trends of what was read: all, or in the order of their titles. */
function* trendsIn(read: Read, titles: readonly string[], birthday: string): Stepwise<Trend[]> {
  const measured = (function* () {
    for (const each of read) yield* each.measured;
  })();
  const found = yield* trendsOf(measured, birthday || undefined);
  return titles.length === 0
    ? found
    : titles.flatMap((asked) => found.filter(({ title }) => title === asked));
}

/** The kinds of which trends are drawn. */
const drawnKinds = (ontology: Ontology): Kind[] => kindsOf(ontology).filter(({ hasTrends }) => hasTrends);

/** Finds the day of the latest measurement of a record; '' if there is none. What is current, such as a target, is none. */
async function latestDay(ontology: Ontology, reads: RecordReads): Promise<string> {
  const kinds = drawnKinds(ontology).filter(({ group }) => group === 'history');
  const found = await Promise.all(kinds.map((kind) => reads.find(kind, { limit: '1' })));
  const days = found.flatMap(({ members }) => members.map(beginningOf));
  return days.sort().at(-1)?.slice(0, 10) ?? '';
}

interface Asked {
  /** Of all that is measured if there are none. */
  readonly titles: readonly string[];
  readonly from: string;
  readonly to: string;
}

async function measurements(ontology: Ontology, reads: RecordReads, { titles, from, to }: Asked) {
  const [first, last] = [instants(from)?.low, instants(to)?.high];
  const isWithin = (statement: StatementHead): boolean => {
    const begins = beginningOf(statement);
    return (
      begins !== '' && (first === undefined || begins >= first) && (last === undefined || begins <= last)
    );
  };
  return Promise.all(
    drawnKinds(ontology).map(async (kind) => {
      const given = Object.fromEntries(
        [
          [dateFilter(kind, 'from'), from],
          [dateFilter(kind, 'to'), to],
        ].filter(([name, value]) => name !== undefined && value !== ''),
      ) as Record<string, string>;
      const name = headingOf(kind);
      // Of a target, which is current, only the code tells what it is of.
      if (titles.length > 0 && kind.group === 'history') {
        const { statements, read, total, ...found } = await measuring(reads, kind, given, titles);
        const measured = statements
          .filter(isWithin)
          .map((statement) => ({ statement, quantities: statement.quantities }));
        return { name, measured, titles: found.titles, read, isCut: total > read && measured.length > 0 };
      }
      const { reader, order, total } = await reads.list(kind, { ...given, limit: String(MAX_STATEMENTS) });
      const measured = measuredOf(reader, order, isWithin);
      return { name, measured, titles: [], read: order.length, isCut: total > order.length };
    }),
  );
}

/** Reads all statements that measure what has one of some titles in any of the latest, and what is of the same substance. */
async function measuring(reads: RecordReads, kind: Kind, given: ListArguments, titles: readonly string[]) {
  const { members, total } = await reads.findMany(kind, given);
  const { latest, alike } = await reads.latestOfEach(kind, members);
  const every = await reads.known(kind, [...latest]);
  const titlesOf = (statement: ShownStatement): string[] => resultsOf(statement).map(({ test }) => test);
  const titled = every.filter((each) => titlesOf(each).some((title) => titles.includes(title)));
  const substances = new Set(titled.flatMap(({ substance }) => substance ?? []));
  // In any unit: the numbers are not compared.
  const same = every.filter(({ substance = '' }) => substances.has(substance));
  return {
    statements: await reads.known(kind, alike(irisOf([...titled, ...same]))),
    titles: same.flatMap(titlesOf),
    read: members.length,
    total,
  };
}

/** Reads each statement when it is asked for, so that the page is drawn in steps. */
function* measuredOf(
  reader: StatementReader,
  order: readonly string[],
  isWithin: (statement: StatementHead) => boolean,
): Generator<Measured> {
  for (const iri of order) {
    const statement = reader.head(iri);
    if (statement && isWithin(statement)) yield { statement, quantities: reader.quantities(iri) };
  }
}
