// What the pages of the example apps have in common: HTML that text cannot break out of, one frame, one file of styles.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

class Html {
  constructor(text) {
    this.text = text;
  }
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML in which every value is text, unless it was made by this function; arrays are joined, false is nothing. */
export function html(parts, ...values) {
  const texts = values.map(htmlOf);
  return new Html(parts.map((part, index) => part + (texts[index] ?? '')).join(''));
}

function htmlOf(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (value === undefined || value === null || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => entities[character]);
}

/** A whole page. */
export function page({ title, app, lead, content, script, foot }) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="/icon.svg" />
        ${script && html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        <header><p class="app">${app ?? 'Example app'}</p></header>
        <main>
          <h1>${title}</h1>
          ${lead && html`<p class="lead">${lead}</p>`} ${content}
        </main>
        <footer>${foot ?? 'An example app of Chartgraph. All patients are invented.'}</footer>
      </body>
    </html>`.text;
}

/** A page that says one thing. */
export const messagePage = (title, says, foot) => page({ title, content: html`<p>${says}</p>`, foot });

/** An answer that sends the browser elsewhere. */
export const redirect = (location, headers = {}) => ({
  status: 303,
  headers: { Location: location, ...headers },
});

const types = { css: 'text/css', js: 'text/javascript', mjs: 'text/javascript', svg: 'image/svg+xml' };

/** A file of this folder, or of another one, as an answer. */
export async function file(name, folder = import.meta.dirname) {
  return {
    headers: { 'Content-Type': `${types[name.split('.').at(-1)]}; charset=utf-8` },
    body: await readFile(join(folder, name)),
  };
}

/** A day as people read it; a year or a month alone stays one. */
export function day(date) {
  const parts = date.slice(0, 10).split('-').length;
  const options = {
    year: 'numeric',
    ...(parts > 1 && { month: 'short' }),
    ...(parts > 2 && { day: 'numeric' }),
  };
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(date));
}
