import { recordPage, recordPaths } from './frame.js';
import { trendsContent } from './trends-page.js';
import { DATE_PROBLEM, typedDate } from '../../http/html/typed-date.js';
import { instants } from '../../model/query/partial-date.js';
import { groupedBy } from '../../rdf/by-key.js';
import { resultsOf } from '../shown/results.js';
import type { StatementHead } from '../shown/shown-statement.js';
import { headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import { beginningOf } from '../shown/timeline.js';
import { trendsOf, type Measured } from '../shown/trends.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { readFields, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import { recordAnswer, frameOf, pathsOfStatements } from './record-frame.js';
import type { ListArguments } from '../../http/record-data.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { dateFilter } from './overview.js';
import { atOnce, stepwise } from '../../store/steps.js';
import type { StatementReader } from '../shown/statement-reader.js';
import { irisOf, RecordReads, type RecordParts } from './record-reads.js';

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
  const shown = {
    path: recordPaths(site.basePath, record).trends,
    ranges: ranges(new Date()),
    of,
    birthday,
    today: new Date().toISOString().slice(0, 10),
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  };
  const head = { tab: 'trends', title: 'Trends' } as const;
  if (!isDay(from) || !isDay(to)) {
    const nothing = { trends: [], most: 0, from: '', to: '', cut: [], also: [] };
    const content = atOnce(trendsContent({ ...shown, ...nothing, problem: DATE_PROBLEM }));
    return pageAnswer(page, recordPage(page, frameOf(opened, ontology), { ...head, content }), {
      status: 400,
    });
  }
  const isAll = fields.get('all') === '1';
  return recordAnswer(site, parts, request, opened, {
    ...head,
    parameters: [of, from, to, isAll ? 'all' : ''],
    draw: async () => {
      const read = await measurements(parts, opened, { of, from, to });
      const cut = read.filter(({ isCut }) => isCut);
      const also = read.flatMap((each) => each.also);
      const measured = (function* () {
        for (const each of read) yield* each.measured;
      })();
      return request.inSteps(async (pause) => {
        const found = await stepwise(trendsOf(measured, birthday || undefined), pause);
        const all = found.filter(({ title }) => of === '' || title === of);
        const most = isAll ? all.length : MAX_CHARTS;
        return stepwise(trendsContent({ ...shown, trends: all, most, from, to, cut, also }), pause);
      });
    },
  });
}

interface Asked {
  readonly of: string;
  readonly from: string;
  readonly to: string;
}

async function measurements(parts: RecordParts, { data }: OpenedRecord, { of, from, to }: Asked) {
  const reads = new RecordReads(parts, data);
  const [first, last] = [instants(from)?.low, instants(to)?.high];
  const isWithin = (statement: StatementHead): boolean => {
    const begins = beginningOf(statement);
    return (
      begins !== '' && (first === undefined || begins >= first) && (last === undefined || begins <= last)
    );
  };
  return Promise.all(
    kindsOf(parts.ontology)
      .filter(({ hasTrends }) => hasTrends)
      .map(async (kind) => {
        const given = Object.fromEntries(
          [
            [dateFilter(kind, 'from'), from],
            [dateFilter(kind, 'to'), to],
          ].filter(([name, value]) => name !== undefined && value !== ''),
        ) as Record<string, string>;
        const name = headingOf(kind);
        // Of a target, which is current, only the code tells what it is of.
        if (of !== '' && kind.group === 'history') {
          const { statements, also, read, total } = await measuring(reads, kind, given, of);
          const measured = statements
            .filter(isWithin)
            .map((statement) => ({ statement, quantities: statement.quantities }));
          return { name, measured, also, read, isCut: total > read && measured.length > 0 };
        }
        const { reader, order, total } = await reads.list(kind, { ...given, limit: String(MAX_STATEMENTS) });
        const measured = measuredOf(reader, order, isWithin);
        return { name, measured, also: [], read: order.length, isCut: total > order.length };
      }),
  );
}

/** Reads all statements that measure what has a title in any of the latest, and what the same substance is called in other specimens. */
async function measuring(reads: RecordReads, kind: Kind, given: ListArguments, of: string) {
  const { members, total } = await reads.findMany(kind, given);
  const { latest, alike } = await reads.latestOfEach(kind, members);
  const every = (await reads.known(kind, [...latest])).flatMap(resultsOf);
  const titled = every.filter(({ test }) => test === of);
  const substances = new Set(titled.flatMap(({ substance }) => substance ?? []));
  const also = every.filter(({ test, substance = '' }) => test !== of && substances.has(substance));
  return {
    statements: await reads.known(kind, alike(irisOf(titled))),
    also: [...groupedBy(also, ({ test }) => test).values()].flatMap(([latest]) => latest ?? []),
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

function ranges(now: Date) {
  const ago = (years: number): string => `${now.getUTCFullYear() - years}${now.toISOString().slice(4, 8)}01`;
  return [
    { text: 'All', from: '' },
    { text: '10 years', from: ago(10) },
    { text: '5 years', from: ago(5) },
    { text: '2 years', from: ago(2) },
    { text: '1 year', from: ago(1) },
  ];
}
