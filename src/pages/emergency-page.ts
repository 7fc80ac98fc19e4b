import { inputField } from '../http/html/form-fields.js';
import { html } from '../http/html/html.js';
import {
  csrfField,
  describedBy,
  narrowPage,
  problemNotice,
  type Page,
  type PageContext,
} from '../http/html/layout.js';

/** The form with which a clinician opens the record of a patient who is not theirs. */
export function emergencyPage(
  around: PageContext,
  typed: ReadonlyMap<string, string>,
  problem: string | undefined,
): Page {
  const field = (name: string, label: string) =>
    inputField(name, label, {
      value: typed.get(name) ?? '',
      ...{ required: false, maxlength: 100, autocomplete: 'off' },
    });
  return narrowPage(
    'Open a record in an emergency',
    problemNotice(problem),
    html`<p>
        The record is open to you for eight hours, including anything the patient has closed. The patient and
        the administrators of this container see that you opened it, and your reason.
      </p>
      <form method="post" action="${around.basePath}/account/emergency">
        ${csrfField(around)} ${field('number', 'Record or medical record number')}
        <p class="quiet small">Or, if you do not know a number:</p>
        ${field('given_name', 'Given name')} ${field('family_name', 'Family name')}
        ${field('date_of_birth', 'Date of birth, as 1975-03-21')}
        <div class="field">
          <label for="reason">Why you open the record</label>
          <textarea
            id="reason"
            name="reason"
            rows="3"
            required
            maxlength="500"
            aria-describedby="${describedBy(problem)}"
          >
${typed.get('reason') ?? ''}</textarea>
        </div>
        <button>Open the record</button>
      </form>`,
  );
}
