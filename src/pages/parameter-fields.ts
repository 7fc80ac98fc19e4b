import { html, type Html } from './html.js';

/** What somebody fills in for a parameter of an analysis or of a query. */
export interface ParameterField {
  readonly name: string;
  readonly comment: string;
  readonly value: string;
  /** What there is to choose; none for a field to write in. */
  readonly choices: readonly string[];
}

/** Fields for parameters, in a form. @param prefix stands before their names in the form */
export function parameterFields(fields: readonly ParameterField[], prefix = ''): readonly Html[] {
  return fields.map(({ name: own, comment, value, choices }) => {
    const name = prefix + own;
    return html`<div class="field">
      <label for="p-${name}">${comment}</label>
      ${
        choices.length > 0
          ? html`<select id="p-${name}" name="${name}">
              ${choices.map((each) => option(each, each === value))}
            </select>`
          : html`<input type="text" id="p-${name}" name="${name}" value="${value}" maxlength="1000" />`
      }
    </div>`;
  });
}

const option = (text: string, isChosen: boolean): Html =>
  isChosen ? html`<option selected>${text}</option>` : html`<option>${text}</option>`;
