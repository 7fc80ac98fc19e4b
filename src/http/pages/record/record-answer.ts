import { recordPage, type RecordTab } from '../../../pages/record/frame.js';
import type { Html } from '../../../pages/html.js';
import type { FramedAnswer } from '../../answer.js';
import { framedPage } from '../page-answer.js';
import type { PageRequest } from '../page-request.js';
import type { OpenedRecord } from './open-record.js';
import { frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

/** A page of a record whose content everybody who may open the record sees alike. */
export interface RecordContent {
  readonly tab: RecordTab;
  readonly title: string;
  /** The parameters of the address that it depends on. */
  readonly parameters?: readonly (string | number | undefined)[];
  /** What it shows that is not in the record, if any. */
  readonly besides?: unknown;
  /** The path of the photograph beside the name. */
  readonly photograph?: string | undefined;
  draw(): Promise<Html>;
}

/**
 * The answer that is a page of a record. Its content is drawn once for everybody in a state of the record and on a day;
 * who reads it, and what they may do with the record, stands around it.
 */
export function recordAnswer(
  parts: RecordParts,
  { visitor, resource }: Pick<PageRequest, 'visitor' | 'resource'>,
  opened: OpenedRecord,
  content: RecordContent,
): FramedAnswer {
  const { tab, title, parameters = [], besides, photograph, draw } = content;
  const { record } = opened.holder;
  const shown = JSON.stringify(besides ?? null);
  return framedPage(visitor.page, {
    key: JSON.stringify([resource, ...parameters]),
    state: () => `${recordState(parts, record)} ${shown}`,
    draw,
    page: (drawn) =>
      recordPage(
        visitor.page,
        { ...frameOf(opened, parts.ontology), photograph },
        { tab, title, content: drawn },
      ),
  });
}

/**
 * The state of all that the calls about a record read: they find nothing but what lies below it (rule `query-unguarded`)
 * and the hierarchies of codes. What lasts and what is past is told by the day.
 */
function recordState({ primary, epoch }: RecordParts, record: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return primary.directory.read(
    () => `${epoch()} ${primary.revision('/ontology')} ${primary.revision(`/records/${record}`)} ${today}`,
  );
}
