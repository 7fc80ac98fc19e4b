import type { RecordHolder } from '../../records/people.js';
import { readableDay } from './readable.js';
import { html, type Html } from './html.js';

/** Returns what tells people of the same name apart. @param age now, or at death */
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

/** Shows the holder of a record, with facts that tell people of the same name apart. */
export function holderLines(holder: RecordHolder): Html {
  return html`<strong>${holder.name || `Record ${holder.record}`}</strong>
    <span class="quiet small">${holderFacts(holder)}</span>`;
}
