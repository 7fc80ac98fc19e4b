import { html, type Content, type Html } from './html.js';
import type { PageContext } from './layout.js';

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Makes a required text field. @param name also its id @param attributes true is written bare, false left out */
export function inputField(name: string, label: string, attributes: Attributes): Html {
  const all = Object.entries({ id: name, name, type: 'text', required: true, ...attributes });
  const written = all.map(
    ([key, value]) => value !== false && (value === true ? html` ${key}` : html` ${key}="${value}"`),
  );
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input${written} />
  </div>`;
}

/** Makes the field for a code. @param describedBy id of the error message, or '' @param isAll whether to focus it */
export function codeField(describedBy: string, isAll = false): Html {
  return inputField('code', 'Code', {
    autocomplete: 'one-time-code',
    autocapitalize: 'none',
    spellcheck: 'false',
    maxlength: 64,
    'aria-describedby': describedBy,
    autofocus: isAll,
  });
}

/** Makes a password field. @param name also its id @param describedBy id of the error message, or '' */
export function passwordField(
  name: string,
  label: string,
  autocomplete: 'current-password' | 'new-password',
  describedBy: string,
): Html {
  const attributes = { type: 'password', autocomplete, maxlength: 1024, 'aria-describedby': describedBy };
  return inputField(name, label, attributes);
}

/**
 * Makes the field in which a signed-in user proves who they are. Whom an identity provider signed in is sent there again.
 * @param here path of the page that the field stands on
 */
export function proofField(
  { basePath, reader }: PageContext,
  label: string,
  here: string,
  describedBy: string,
): Content {
  if (!reader?.signOn) return passwordField('current', label, 'current-password', describedBy);
  const there = `${basePath}/login/organisation?again=1&return_url=${encodeURIComponent(basePath + here)}`;
  return (
    !reader.signOn.isFresh &&
    html`<p><a href="${there}">Sign in again</a> first: this shows that it is you.</p>`
  );
}

export interface ParameterField {
  readonly name: string;
  readonly comment: string;
  readonly value: string;
  /** Values, or values with the words that are shown for them; a free text field without any. */
  readonly choices: readonly (string | readonly [value: string, words: string])[];
}

/** Makes form fields for parameters. @param prefix put before their names in the form */
export function parameterFields(fields: readonly ParameterField[], prefix = ''): readonly Html[] {
  return fields.map(({ name: own, comment, value, choices }) => {
    const name = prefix + own;
    return html`<div class="field">
      <label for="p-${name}">${comment}</label>
      ${
        choices.length > 0
          ? html`<select id="p-${name}" name="${name}">
              ${choices.map((each) => {
                const [own, words] = typeof each === 'string' ? [each, each] : each;
                return html`<option value="${own}" ${own === value && html` selected`}>${words}</option>`;
              })}
            </select>`
          : html`<input type="text" id="p-${name}" name="${name}" value="${value}" maxlength="1000" />`
      }
    </div>`;
  });
}
