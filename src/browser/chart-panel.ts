import { analysisChart, chartKey } from '../pages/analysis-chart.js';
import type { Html } from '../pages/html.js';
import { kindOf, type Row, type Term } from './cells.js';
import { pngFile, svgFile } from './chart-file.js';
import { chartFor, combinings, drawnChart, type ChosenChart, type Combining } from './chosen-chart.js';
import { button, choice, element, save } from './dom.js';

/** Series that can be told from each other. */
const SERIES = 4;

const words: Readonly<Record<Combining, string>> = { sum: 'Sum', mean: 'Mean', count: 'Count of rows' };

/** A chart of a table, and what there is to choose about it; undefined where there is nothing to draw. */
export function chartPanel(
  rows: readonly Row[],
  columns: readonly string[],
  write: (term: Term | undefined) => string,
): HTMLElement | undefined {
  const first = chartFor(rows, columns);
  if (!first) return undefined;
  let chosen: ChosenChart = first;
  const numbers = columns.filter((column) => kindOf(rows, column) === 'number');
  const drawing = element('figure', { class: 'drawing' });
  // Names at an axis are short: prefixes only take room there.
  const local = (term: Term | undefined): string => write(term).replace(/^[a-z]\w*:(?=\w+$)/u, '');
  const change = (some: Partial<ChosenChart>): void => {
    chosen = { ...chosen, ...some };
    draw();
  };

  function draw(): void {
    const { data, left } = drawnChart(rows, local, chosen);
    const caption = `${data.title}${left > 0 ? `; the first ${data.points.length} places, ${left} more are in the table` : ''}`;
    drawing.replaceChildren(
      element('figcaption', { class: 'small' }, caption),
      parsed(analysisChart(data)),
      ...[chartKey(data)].flatMap((key) => (key ? [parsed(key)] : [])),
    );
  }

  function picture(): SVGSVGElement | null {
    return drawing.querySelector('svg');
  }

  const controls = element(
    'div',
    { class: 'toolbar' },
    choice(
      'Chart',
      [
        ['bar', 'Bars'],
        ['line', 'Lines'],
      ],
      chosen.kind,
      (kind) => change({ kind: kind === 'line' ? 'line' : 'bar' }),
    ),
    choice(
      'Across',
      columns.map((column) => [column, column] as const),
      chosen.across,
      (across) => change({ across }),
    ),
    choice(
      'Shows',
      combinings
        .filter((each) => each === 'count' || numbers.length > 0)
        .map((each) => [each, words[each]] as const),
      chosen.combining,
      (text) => change({ combining: combinings.find((each) => each === text) ?? 'count' }),
    ),
    numbers.length > 0 && values(),
    element(
      'div',
      { class: 'group', role: 'group', 'aria-label': 'Save the chart as' },
      button('SVG', () => {
        const svg = picture();
        if (svg) save('chart.svg', svgFile(svg));
      }),
      button('PNG', () => {
        const svg = picture();
        if (svg)
          void pngFile(svg, getComputedStyle(drawing).backgroundColor).then((file) =>
            save('chart.png', file),
          );
      }),
    ),
  );

  function values(): HTMLElement {
    const boxes = numbers.map((column) => {
      const box = element('input', { type: 'checkbox', checked: chosen.values.includes(column) });
      box.addEventListener('change', () => {
        const others = chosen.values.filter((each) => each !== column);
        const next = box.checked ? [...others, column].slice(-SERIES) : others;
        change({ values: next, combining: chosen.combining === 'count' ? 'mean' : chosen.combining });
      });
      return element('label', { class: 'box' }, box, ` ${column}`);
    });
    return element('fieldset', { class: 'values' }, element('legend', {}, 'Values'), ...boxes);
  }

  draw();
  return element('div', {}, controls, drawing);
}

/** Markup that the functions of the pages made, in which every text is escaped. */
function parsed(markup: Html): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup.text;
  return template.content;
}
