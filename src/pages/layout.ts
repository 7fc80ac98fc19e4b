import { Html, html, type Content } from './html.js';
import { ICON_PATH } from './icon.js';
import { style } from './style.js';

/** Where a page stands: the container it belongs to, and who reads it. */
export interface PageContext {
  /** Name of the container. */
  readonly container: string;
  /** Path of the base URL, '' or beginning with a slash. */
  readonly basePath: string;
  /** Goes into every form. */
  readonly csrf: string;
  /** Who is signed in, and whether it is an analyst where queries are answered. */
  readonly reader?: { readonly id: string; readonly name: string; readonly hasWorkbench: boolean };
}

/** A page with its title; `narrow` for a single form, `wide` for much that stands side by side. */
export interface Page {
  readonly title: string;
  readonly content: Content;
  readonly narrow?: boolean;
  readonly wide?: boolean;
  /** What it needs beside the common style: styles and scripts. */
  readonly head?: Content;
}

const sheet = new Html(`<style>${style}</style>`);

/** Writes a whole document. */
export function document(
  around: PageContext,
  { title, content, head, narrow = false, wide = false }: Page,
): string {
  const { container, basePath, reader } = around;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – ${container}</title>
        <link rel="icon" href="${basePath}${ICON_PATH}" />
        ${sheet}${head}
      </head>
      <body class="${wide ? 'wide' : ''}">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <div class="bar">
            <a class="brand" href="${basePath}/">${container}</a>
            ${reader && menu(around, reader)}
          </div>
        </header>
        <main id="content" class="${narrow ? 'narrow' : ''}">${content}</main>
      </body>
    </html> `.text;
}

function menu(around: PageContext, { name, hasWorkbench }: NonNullable<PageContext['reader']>): Html {
  return html`<nav aria-label="Account">
    <a href="${around.basePath}/account">Records</a>
    ${hasWorkbench && html`<a href="${around.basePath}/workbench">Workbench</a>`}
    <a href="${around.basePath}/account/apps">Apps with access</a>
    <a href="${around.basePath}/account/security">Security</a>
    <form method="post" action="${around.basePath}/logout">
      ${csrfField(around)}<button class="plain">Sign out ${name}</button>
    </form>
  </nav>`;
}

/** What shows that a form was sent from one of our pages. */
export function csrfField({ csrf }: PageContext): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

/** What is wrong with what was typed, where something is. */
export function problemNotice(problem: string | undefined): Html | false {
  return problem !== undefined && html`<div id="problem">${alert(problem)}</div>`;
}

/** The id of that notice, for the fields that it is about; '' where nothing is wrong. */
export function describedBy(problem: string | undefined): string {
  return problem === undefined ? '' : 'problem';
}

/** A message that assistive technology reads at once. */
export function alert(...sentences: readonly Content[]): Html {
  return html`<div class="notice bad" role="alert">
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </div>`;
}
