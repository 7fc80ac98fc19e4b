import type { RecordHolder } from '../records/people.js';
import { readableDay } from '../records/shown/readable.js';
import { html, type Html } from './html.js';

/** What tells people of one name apart, and whether they live. @param age how old they are, or were when they died */
export function holderFacts({ record, birthday, died, gender }: RecordHolder, age = ''): string {
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
export function holderLines(holder: RecordHolder): Html {
  return html`<strong>${holder.name || `Record ${holder.record}`}</strong>
    <span class="quiet small">${holderFacts(holder)}</span>`;
}
