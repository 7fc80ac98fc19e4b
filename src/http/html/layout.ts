import { Html, html, type Content } from './html.js';
import type { UserRole } from '../../access/accounts/users.js';
import { style } from './style.js';

export interface PageContext {
  readonly container: string;
  /** The path of the base URL: '' or beginning with a slash. */
  readonly basePath: string;
  readonly csrf: string;
  /** The signed-in user. An analyst has the workbench where queries are answered. */
  readonly reader?: {
    readonly id: string;
    readonly name: string;
    readonly role: UserRole;
    readonly hasWorkbench: boolean;
    /** Of somebody whom an identity provider signed in, and whether a moment ago. */
    readonly signOn?: { readonly isFresh: boolean } | undefined;
  };
}

/** A page: `narrow` for a single form, `wide` for content side by side. */
export interface Page {
  readonly title: string;
  readonly content: Content;
  readonly narrow?: boolean;
  readonly wide?: boolean;
  /** Styles and scripts in addition to the common style. */
  readonly head?: Content;
}

const sheet = new Html(`<style>${style}</style>`);

/** A page with one narrow sheet. */
export function narrowPage(title: string, ...content: readonly Content[]): Page {
  return {
    title,
    narrow: true,
    content: html`<section class="sheet">
      <h1>${title}</h1>
      ${content}
    </section>`,
  };
}

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

function menu(around: PageContext, { name, role, hasWorkbench }: NonNullable<PageContext['reader']>): Html {
  return html`<nav aria-label="Account">
    <a href="${around.basePath}/account">Records</a>
    ${role === 'admin' && html`<a href="${around.basePath}/admin">Administration</a>`}
    ${hasWorkbench && html`<a href="${around.basePath}/workbench">Workbench</a>`}
    <a href="${around.basePath}/account/apps">Apps with access</a>
    <a href="${around.basePath}/account/security">Security</a>
    <form method="post" action="${around.basePath}/logout">
      ${csrfField(around)}<button class="plain">Sign out ${name}</button>
    </form>
  </nav>`;
}

export function csrfField({ csrf }: PageContext): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

/** Shows the problem with a form's input, if any. */
export function problemNotice(problem: string | undefined): Html | false {
  return problem !== undefined && html`<div id="problem">${alert(problem)}</div>`;
}

/** Returns the id of that notice, for aria-describedby; '' without a problem. */
export function describedBy(problem: string | undefined): string {
  return problem === undefined ? '' : 'problem';
}

/** Says that an act is done. */
export function doneNotice(done: string | undefined): Html | false {
  return done !== undefined && html`<div class="notice good" role="status"><p>${done}</p></div>`;
}

/** A message that assistive technology reads out at once. */
export function alert(...sentences: readonly Content[]): Html {
  return html`<div class="notice bad" role="alert">
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </div>`;
}

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6671"/><g fill="#fff" stroke="#fff" stroke-width="2.5" stroke-linecap="round"><path d="M7 21l6-8 6 6 6-10" fill="none"/><circle cx="7" cy="21" r="2"/><circle cx="13" cy="13" r="2"/><circle cx="19" cy="19" r="2"/><circle cx="25" cy="9" r="2"/></g></svg>`;

/** Browsers look for the icon here when a response, such as JSON, does not name one. */
export const ICON_PATH = '/favicon.ico';

export interface Message {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly next?: { readonly href: string; readonly text: string } | undefined;
}

/** Makes a page with one message, such as an error. `next` is the link to go on. */
export function messagePage({ basePath }: PageContext, { title, sentences, next }: Message): Page {
  const link = next ?? { href: `${basePath}/`, text: 'To the start page' };
  return narrowPage(
    title,
    sentences.map((sentence) => html`<p>${sentence}</p>`),
    html`<p class="small"><a href="${link.href}">${link.text}</a></p>`,
  );
}
