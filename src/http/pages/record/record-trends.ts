import { recordPage, recordPaths } from '../../../pages/record/frame.js';
import { trendsContent } from '../../../pages/record/trends-page.js';
import { instants } from '../../../query/partial-date.js';
import { headingOf, kindsOf } from '../../../records/shown/statement-kinds.js';
import { beginningOf } from '../../../records/shown/timeline.js';
import { trendsOf, type Measured } from '../../../records/shown/trends.js';
import type { Answer } from '../../answer.js';
import type { Site } from '../../app-parts.js';
import { readFields } from '../form.js';
import { pageAnswer } from '../page-answer.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { dateFilter } from './overview.js';
import { recordAnswer } from './record-answer.js';
import { frameOf, pathsOfStatements } from './record-frame.js';
import { RecordReads, type RecordParts } from './record-reads.js';

/** How many statements of a kind are drawn. */
const MOST = 1000;
/** How many charts are shown unless all are asked for. */
const TELLING = 12;

/** `/account/trends/{record_id}`: what was measured, over time. */
export function trends(site: Site, parts: RecordParts, request: PageRequest, opened: OpenedRecord): Answer {
  const { ontology } = parts;
  const { page } = request.visitor;
  const { record, birthday } = opened.holder;
  const fields = readFields(request.target.query);
  const [from, to] = [fields.get('from')?.trim() ?? '', fields.get('to')?.trim() ?? ''];
  const isDay = (text: string): boolean => text === '' || instants(text) !== undefined;
  const shown = {
    path: recordPaths(site.basePath, record).trends,
    ranges: ranges(new Date()),
    birthday,
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  };
  const head = { tab: 'trends', title: 'Trends' } as const;
  if (!isDay(from) || !isDay(to)) {
    const problem = 'Type the date as 1990-02-01.';
    const nothing = { trends: [], most: 0, from: '', to: '', cut: [] };
    const content = trendsContent({ ...shown, ...nothing, problem });
    return pageAnswer(page, recordPage(page, frameOf(opened, ontology), { ...head, content }), {
      status: 400,
    });
  }
  const isAll = fields.get('all') === '1';
  return recordAnswer(parts, request, opened, {
    ...head,
    parameters: [from, to, isAll ? 'all' : ''],
    draw: async () => {
      const read = await measurements(parts, record, from, to);
      const all = trendsOf(
        read.flatMap(({ measured }) => measured),
        birthday || undefined,
      );
      return trendsContent({
        ...shown,
        trends: all,
        most: isAll ? all.length : TELLING,
        from,
        to,
        cut: read.filter(({ isCut }) => isCut).map(({ name }) => name),
      });
    },
  });
}

/** What was measured in a time, by kind. */
function measurements(parts: RecordParts, record: string, from: string, to: string) {
  const reads = new RecordReads(parts, record);
  const [first, last] = [instants(from)?.low, instants(to)?.high];
  const isWithin = (begins: string): boolean =>
    begins !== '' && (first === undefined || begins >= first) && (last === undefined || begins <= last);
  return Promise.all(
    kindsOf(parts.ontology)
      .filter(({ hasTrends }) => hasTrends)
      .map(async (kind) => {
        const given = [
          ['limit', String(MOST)],
          [dateFilter(kind, 'from'), from],
          [dateFilter(kind, 'to'), to],
        ].filter(([name, value]) => name !== undefined && value !== '');
        const { reader, order, total } = await reads.list(
          kind,
          Object.fromEntries(given) as Record<string, string>,
        );
        const measured = order
          .flatMap((iri) => reader.head(iri) ?? [])
          .filter((statement) => isWithin(beginningOf(statement)))
          .map((statement): Measured => ({ statement, quantities: reader.quantities(statement.iri) }));
        return { name: headingOf(kind), measured, isCut: total > order.length };
      }),
  );
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
