import { readableDay } from '../records/shown/readable.js';
import { html, type Html } from './html.js';

/** Whose record it is. */
export interface Holder {
  readonly record: string;
  readonly name: string;
  readonly birthday: string;
  /** When they died, in ISO 8601, or '' where only that is known; undefined for the living. */
  readonly died?: string | undefined;
  readonly gender: string;
}

/** What tells people of one name apart, and whether they live. @param age how old they are, or were when they died */
export function holderFacts({ record, birthday, died, gender }: Holder, age = ''): string {
  const isDead = died !== undefined;
  return [
    birthday && `born ${readableDay(birthday)}${!isDead && age ? ` (${age})` : ''}`,
    isDead ? ['died', readableDay(died), age && `at ${age}`].filter((word) => word !== '').join(' ') : '',
    gender,
    `record ${record}`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

/** How a record is named to people: by its holder, with what tells two of one name apart. */
export function holderLines(holder: Holder): Html {
  return html`<strong>${holder.name || `Record ${holder.record}`}</strong>
    <span class="quiet small">${holderFacts(holder)}</span>`;
}
