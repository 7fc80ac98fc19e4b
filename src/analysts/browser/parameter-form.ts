import {
  AnalysisValueError,
  saysOf,
  boundTerms,
  withTerms,
  type AnalysisParameter,
} from '../../model/analyses/analysis.js';
import { readHead } from '../../model/analyses/read-head.js';
import { element, need } from './dom.js';

type Field = HTMLInputElement | HTMLSelectElement;

/** Manages the fields for the parameters that the head of a query declares, in the syntax of docs/analyses.md. */
export function parameterForm() {
  const place = need('parameters', HTMLFieldSetElement);
  const list = need('parameters-list', HTMLElement);
  /** Values by name, including parameters that were removed: if one is added again, its value comes back. */
  const filled = new Map<string, string>();
  const fields = new Map<string, Field>();
  let drawn = '';

  /** Redraws the fields for a query and keeps their values. */
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
    /** Returns the query with its values. @throws AnalysisValueError for an invalid one, whose field is marked */
    bound(query: string): string {
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
    focusRefused: (): void => list.querySelector<Field>('[aria-invalid]')?.focus(),
  };
}
