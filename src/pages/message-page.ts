import { html } from './html.js';
import type { Page, PageContext } from './layout.js';

/** What a page that says one thing says; `next` is a link to go on. */
export interface Message {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly next?: { readonly href: string; readonly text: string } | undefined;
}

/** A page that says one thing: an error, or that something is done. */
export function messagePage({ basePath }: PageContext, { title, sentences, next }: Message): Page {
  const link = next ?? { href: `${basePath}/`, text: 'To the start page' };
  return {
    title,
    narrow: true,
    content: html`<section class="sheet">
      <h1>${title}</h1>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
      <p class="small"><a href="${link.href}">${link.text}</a></p>
    </section>`,
  };
}
