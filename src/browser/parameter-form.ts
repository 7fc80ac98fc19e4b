import { AnalysisValueError, type AnalysisParameter } from '../analysts/analyses/analysis.js';
import { boundTerms, withTerms } from '../analysts/analyses/bound-terms.js';
import { saysOf } from '../analysts/analyses/parameter-types.js';
import { readHead } from '../analysts/analyses/read-head.js';
import { element, need } from './dom.js';

/** The fields of what a query asks for: the parameters that its head declares, in the form of docs/analyses.md. */
export interface ParameterForm {
  /** Draws the fields of a query, and keeps what was filled in. */
  refresh(query: string): void;
  /**
   * The query with what the fields hold in its places, as terms.
   * @throws AnalysisValueError in a sentence, for a value that cannot be or is missing; its field is marked
   */
  bound(query: string): string;
  /** Leads to the field that was refused last. */
  focusRefused(): void;
}

type Field = HTMLInputElement | HTMLSelectElement;

export function parameterForm(): ParameterForm {
  const place = need('parameters', HTMLFieldSetElement);
  const list = need('parameters-list', HTMLElement);
  /** By name, also of those that the query has no more: what was filled in comes back with the parameter. */
  const filled = new Map<string, string>();
  const fields = new Map<string, Field>();
  let drawn = '';

  function refresh(query: string): void {
    const { parameters, problems } = readHead(query);
    const lines = query.split('\n');
    const wrong = problems.filter(({ line }) => /^#\s?\$/u.test(lines[line - 1] ?? ''));
    const next = JSON.stringify([parameters, wrong]);
    if (next === drawn) return;
    drawn = next;
    for (const [name, field] of fields) filled.set(name, field.value);
    fields.clear();
    list.replaceChildren(
      ...parameters.map(field),
      ...wrong.map(({ line, reason }) => element('p', { class: 'small' }, `Line ${line}: ${reason}.`)),
    );
    place.hidden = list.childElementCount === 0;
  }

  function field(parameter: AnalysisParameter): HTMLElement {
    const { name, comment, choices, standard = '' } = parameter;
    const [id, hint] = [`parameter-${name}`, `hint-${name}`];
    const attributes = { id, 'aria-describedby': hint };
    const value = filled.get(name) ?? standard;
    const made =
      choices.length === 0
        ? element('input', { type: 'text', maxlength: '1000', autocomplete: 'off', ...attributes })
        : element('select', attributes, ...choices.map((each) => element('option', {}, each)));
    if (choices.length === 0 || choices.includes(value)) made.value = value;
    made.addEventListener('input', () => made.removeAttribute('aria-invalid'));
    fields.set(name, made);
    return element(
      'div',
      { class: 'field' },
      element('label', { for: id }, comment),
      made,
      element('span', { class: 'quiet small', id: hint }, `$${name}: ${saysOf(parameter)}`),
    );
  }

  return {
    refresh,
    bound(query) {
      refresh(query);
      const { parameters } = readHead(query);
      const given = [...fields].flatMap(([name, { value }]): [string, string][] =>
        value === '' ? [] : [[name, value]],
      );
      try {
        return withTerms(query, boundTerms({ name: 'The query', parameters }, given));
      } catch (error) {
        const refused = error instanceof AnalysisValueError ? fields.get(error.parameter) : undefined;
        refused?.setAttribute('aria-invalid', 'true');
        throw error;
      }
    },
    focusRefused: () => list.querySelector<Field>('[aria-invalid]')?.focus(),
  };
}
