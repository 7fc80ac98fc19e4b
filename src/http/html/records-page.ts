import type { RecordHolder } from '../../records/people.js';
import { holderLines } from './holder.js';
import { html, type Html } from './html.js';
import { problemNotice, type Page } from './layout.js';

export interface RecordListing {
  readonly holders: readonly RecordHolder[];
  /** The path of the page, and the parameters to keep in its query. */
  readonly action: string;
  readonly kept: Readonly<Record<string, string>>;
  readonly leadsTo: (record: string) => string;
  /** The search of a user who may open every record; a person just gets a list. */
  readonly search?: RecordSearch;
}

export interface RecordChoice extends Omit<RecordListing, 'leadsTo'> {
  readonly app: string;
}

export interface RecordSearch {
  readonly terms: Readonly<Record<keyof typeof LABELS, string>>;
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly problem?: string;
}

const LABELS = {
  family_name: 'Family name begins with',
  given_name: 'Given name begins with',
  date_of_birth: 'Date of birth, as 1975-03-21',
  medical_record_number: 'Record or medical record number',
} as const;

/** The page on which a person chooses a record for an app. */
export function recordsPage(choice: RecordChoice): Page {
  const leadsTo = (record: string): string => address(choice, { record_id: record });
  return {
    title: `Choose a record`,
    content: html`<section class="sheet">
      <h1>Choose a record for “${choice.app}”</h1>
      ${recordList({ ...choice, leadsTo })}
    </section>`,
  };
}

/** Lists records as links, below a search form if there is one. */
export function recordList(listing: RecordListing): Html {
  const { holders, leadsTo, search } = listing;
  return html`${search && searchForm(listing, search)}
    ${holders.length === 0 && search?.problem === undefined && html`<p role="status">${search ? 'No record matches.' : 'You have no record yet. Ask the operator of this container.'}</p>`}
    <ul class="rows" aria-label="Records">
      ${holders.map((holder) => html`<li><a class="row" href="${leadsTo(holder.record)}">${holderLines(holder)}</a></li>`)}
    </ul>
    ${search && pages(listing, search)}`;
}

function searchForm({ action, kept }: Addressed, { terms, problem }: RecordSearch): Html {
  const fields = Object.entries(LABELS) as [keyof typeof LABELS, string][];
  return html`${problemNotice(problem)}
    <form method="get" action="${action}" role="search" aria-label="Records">
      ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <div class="search">
        ${fields.map(([name, label]) => html`<div class="field"><label for="${name}">${label}</label><input type="text" id="${name}" name="${name}" value="${terms[name]}" maxlength="100" autocomplete="off" aria-describedby="${problem !== undefined && name === 'date_of_birth' ? 'problem' : ''}" /></div>`)}
        <div class="field"><button class="whole">Search</button></div>
      </div>
    </form>`;
}

function pages(choice: RecordListing, { terms, total, offset, limit }: RecordSearch): Html {
  const { holders } = choice;
  const pageAt = (to: number): string => address(choice, { ...terms, offset: String(to) });
  const last = Math.min(offset + limit, total);
  return html`<p class="quiet small" role="status">${total > 0 && `${offset + 1} to ${last} of ${total}`}</p>
    ${
      total > holders.length &&
      html`<nav class="actions" aria-label="Pages of the list">
        ${offset > 0 && html`<a href="${pageAt(Math.max(0, offset - limit))}" rel="prev">Earlier records</a>`}
        ${last < total && html`<a href="${pageAt(last)}" rel="next">More records</a>`}
      </nav>`
    }`;
}

type Addressed = Pick<RecordListing, 'action' | 'kept'>;

function address({ action, kept }: Addressed, more: Readonly<Record<string, string>>): string {
  const given = Object.entries({ ...kept, ...more }).filter(([, value]) => value !== '');
  return `${action}?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
