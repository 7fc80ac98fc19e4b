import { html, type Html } from './html.js';

/** A piece of a line or a bar as a chart draws it, for a legend: told from the others without its colour, too, also on paper. */
export function chartSample(kind: 'bar' | 'line', index: number): Html {
  const shape =
    kind === 'line'
      ? html`<polyline points="0,4 32,4"></polyline>`
      : html`<rect x="1" y="1" width="30" height="6"></rect>`;
  return html`<svg viewBox="0 0 32 8" aria-hidden="true">
    <g class="${kind === 'line' ? 'line line' : 'bars bar'}${index % 4}">${shape}</g>
  </svg>`;
}
