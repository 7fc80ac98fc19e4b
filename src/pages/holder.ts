import { readableDay } from '../records/shown/readable.js';
import { html, type Html } from './html.js';

/** Whose record it is. */
export interface Holder {
  readonly record: string;
  readonly name: string;
  readonly birthday: string;
  readonly gender: string;
}

/** How a record is named to people: by its holder, with what tells two of one name apart. */
export function holderLines({ record, name, birthday, gender }: Holder): Html {
  const facts = [birthday && `born ${readableDay(birthday)}`, gender, `record ${record}`].filter(
    (fact) => fact !== '',
  );
  return html`<strong>${name || `Record ${record}`}</strong>
    <span class="quiet small">${facts.join(' · ')}</span>`;
}
