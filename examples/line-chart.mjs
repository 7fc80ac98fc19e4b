// Lines over time as SVG, with a table of the same values for those who do not see them.
import { day, html } from './page.mjs';

const [WIDTH, HEIGHT] = [640, 260];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 30, 16, 36];

/**
 * @param {{ title: string, unit: string, band?: { min: number, max: number, label: string },
 *   lines: { name: string, points: { date: string, value: number }[] }[] }} chart
 */
export function lineChart({ title, unit, band, lines }) {
  const points = lines.flatMap((line) => line.points);
  const values = [...points.map(({ value }) => value), ...(band ? [band.min, band.max] : [])];
  const times = points.map(({ date }) => Date.parse(date));
  const steps = stepsOf(Math.min(...values), Math.max(...values));
  const [low, high] = [steps[0], steps.at(-1)];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (date) =>
    last === first
      ? WIDTH / 2
      : LEFT + ((Date.parse(date) - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  return html`<figure>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}, in ${unit}">
      ${band && html`<rect class="band" x="${LEFT}" y="${y(band.max)}" width="${WIDTH - LEFT - RIGHT}" height="${y(band.min) - y(band.max)}" />`}
      ${steps.map(
        (step) =>
          html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(step)}" y2="${y(step)}" />
            <text class="scale" x="${LEFT - 8}" y="${y(step) + 4}" text-anchor="end">${step}</text>`,
      )}
      ${yearsOf(first, last).map(
        (year) =>
          html`<text class="scale" x="${x(`${year}-01-01`)}" y="${HEIGHT - 8}" text-anchor="middle"
            >${year}</text
          >`,
      )}
      ${lines.map(
        ({ points: own }, index) =>
          html`<polyline
              class="line line${index}"
              points="${own.map(({ date, value }) => `${x(date)},${y(value)}`).join(' ')}"
            />
            ${own.map(({ date, value }) => html`<circle class="dot line${index}" cx="${x(date)}" cy="${y(value)}" r="4"><title>${day(date)}: ${value} ${unit}</title></circle>`)}`,
      )}
    </svg>
    <figcaption>
      ${lines.length > 1 && lines.map(({ name }, index) => html`<span class="key line${index}">${name}</span>`)}
      ${band && html`<span class="key band">${band.label}</span>`} <span>in ${unit}</span>
    </figcaption>
    <details>
      <summary>The values as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Date</th>
            ${lines.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${lines[0].points.map(
            ({ date }, row) =>
              html`<tr>
                <th scope="row">${day(date)}</th>
                ${lines.map((line) => html`<td>${line.points[row].value}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

/** Four to eight round numbers around the values. */
function stepsOf(min, max) {
  const span = max - min || Math.abs(max) || 1;
  const size = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => span / each <= 6);
  const from = Math.floor(min / step);
  const to = Math.max(Math.ceil(max / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}

/** The years within a time, at most seven of them. */
function yearsOf(first, last) {
  const from = new Date(first).getUTCFullYear() + 1;
  const to = new Date(last).getUTCFullYear();
  const years = Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index);
  const every = Math.ceil(years.length / 7);
  return years.filter((_, index) => index % every === 0);
}
