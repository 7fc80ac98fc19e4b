import { trendsPage } from '../../../pages/record/trends-page.js';
import { instants } from '../../../query/partial-date.js';
import { headingOf, kindsOf } from '../../../records/shown/statement-kinds.js';
import { beginningOf } from '../../../records/shown/timeline.js';
import { trendsOf, type Measured } from '../../../records/shown/trends.js';
import type { PlainAnswer } from '../../answer.js';
import type { Site } from '../../app-parts.js';
import { readFields } from '../form.js';
import { pageAnswer } from '../page-answer.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { dateFilter } from './overview.js';
import { frameOf, pathsOfStatements } from './record-frame.js';
import { RecordReads, type RecordParts } from './record-reads.js';

/** How many statements of a kind are drawn. */
const MOST = 1000;
/** How many charts are shown unless all are asked for. */
const TELLING = 12;

/** `/account/trends/{record_id}`: what was measured, over time. */
export async function trends(
  site: Site,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<PlainAnswer> {
  const { ontology } = parts;
  const { visitor, target } = request;
  const { holder } = opened;
  const fields = readFields(target.query);
  const [from, to] = [fields.get('from')?.trim() ?? '', fields.get('to')?.trim() ?? ''];
  const isDay = (text: string): boolean => text === '' || instants(text) !== undefined;
  const problem = !isDay(from) || !isDay(to) ? 'Type the date as 1990-02-01.' : undefined;
  const read = problem === undefined ? await measurements(parts, holder.record, from, to) : [];
  const all = trendsOf(
    read.flatMap(({ measured }) => measured),
    holder.birthday || undefined,
  );
  const page = trendsPage(visitor.page, {
    frame: frameOf(opened, ontology),
    trends: all,
    most: fields.get('all') === '1' ? all.length : TELLING,
    from: problem === undefined ? from : '',
    to: problem === undefined ? to : '',
    problem,
    ranges: ranges(new Date()),
    cut: read.filter(({ isCut }) => isCut).map(({ name }) => name),
    birthday: holder.birthday,
    pathOf: pathsOfStatements(ontology, site.base, site.basePath),
  });
  return pageAnswer(visitor.page, page, { status: problem === undefined ? 200 : 400 });
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
        const { reader, statements, total } = await reads.list(
          kind,
          Object.fromEntries(given) as Record<string, string>,
        );
        const measured = statements
          .filter((statement) => isWithin(beginningOf(statement)))
          .map((statement): Measured => ({ statement, quantities: reader.quantities(statement.iri) }));
        return { name: headingOf(kind), measured, isCut: total > statements.length };
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
