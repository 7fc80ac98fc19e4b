import { html, type Html } from './html.js';

/**
 * Where a code is typed.
 * @param describedBy the id of what went wrong with the last one, or ''
 * @param isAll whether there is nothing else to type: then one types at once
 */
export function codeField(describedBy = '', isAll = false): Html {
  return html`<div class="field">
    <label for="code">Code</label>
    <input
      id="code"
      name="code"
      type="text"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      required
      maxlength="64"
      aria-describedby="${describedBy}"
      ${isAll && html`autofocus`}
    />
  </div>`;
}

/**
 * Where a password is typed.
 * @param name also its id
 * @param describedBy the id of what went wrong, or ''
 */
export function passwordField(
  name: string,
  label: string,
  autocomplete: 'current-password' | 'new-password',
  describedBy: string,
): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="${autocomplete}"
      required
      maxlength="1024"
      aria-describedby="${describedBy}"
    />
  </div>`;
}
