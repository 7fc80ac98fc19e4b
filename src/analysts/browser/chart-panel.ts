import { analysisChart, chartKey } from '../workbench/analysis-chart.js';
import type { Html } from '../../http/html/html.js';
import { kindOf, type Row, type Term } from './cells.js';
import { chartFor, combinings, drawnChart, type ChosenChart, type Combining } from './chosen-chart.js';
import { button, choice, element, save } from './dom.js';

const SERIES = 4;

const words: Readonly<Record<Combining, string>> = { sum: 'Sum', mean: 'Mean', count: 'Count of rows' };

const kinds = { bar: 'Bars', line: 'Lines' };

/** Makes a chart of a table, with controls; undefined if there is nothing to draw. */
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
  // Labels at an axis have little room, so prefixes are left out.
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

  function saveAs(name: string, write: (svg: SVGSVGElement) => Blob | Promise<Blob>): void {
    const svg = drawing.querySelector('svg');
    if (svg) void Promise.resolve(write(svg)).then((file) => save(name, file));
  }

  const controls = element(
    'div',
    { class: 'toolbar' },
    choice('Chart', Object.entries(kinds), chosen.kind, (kind) =>
      change({ kind: kind === 'line' ? 'line' : 'bar' }),
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
      button('SVG', () => saveAs('chart.svg', svgFile)),
      button('PNG', () =>
        saveAs('chart.png', (svg) => pngFile(svg, getComputedStyle(drawing).backgroundColor)),
      ),
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

/** Parses markup from the functions for pages, which escape all text. */
function parsed(markup: Html): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = markup.text;
  return template.content;
}

const STYLE_ATTRIBUTES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-family',
] as const;
const SCALE = 3;

/** Makes an SVG file. It copies computed styles to attributes, since the file lacks the style sheet. */
function svgFile(drawing: SVGSVGElement): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  for (const [at, shape] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (!original || shape.localName === 'title') continue;
    const looks = getComputedStyle(original);
    for (const look of STYLE_ATTRIBUTES) shape.setAttribute(look, looks.getPropertyValue(look));
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('xmlns', drawing.namespaceURI ?? '');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/** Makes a PNG file. @param ground the background colour @throws Error if the browser cannot */
async function pngFile(drawing: SVGSVGElement, ground: string): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const address = URL.createObjectURL(svgFile(drawing));
  try {
    const image = new Image(width * SCALE, height * SCALE);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser draws no pictures');
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the browser writes no PNG'))),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
