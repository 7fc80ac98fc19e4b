import { randomUUID } from 'node:crypto';
import { Html } from '../../pages/html.js';
import { document, type Page, type PageContext } from '../../pages/layout.js';
import { styleSource } from '../../pages/style.js';
import type { Fields, FramedAnswer, PlainAnswer } from '../answer.js';
import { documentHeaders, type DocumentPolicy } from '../security-headers.js';

const HTML = 'text/html; charset=utf-8';

/** Where the forms of a page may lead besides this container: origins or schemes. */
export type LeadsTo = readonly string[];

/** What a page may be answered with beside its content. */
export interface PageOptions {
  readonly status?: number;
  readonly leadsTo?: LeadsTo;
  readonly headers?: Fields | undefined;
  /** What it may do that other pages may not, and the sources of its styles and pictures beside the common ones. */
  readonly policy?: DocumentPolicy & { readonly styles?: readonly string[] };
}

/**
 * Headers of every page: nothing but our own style and pictures is loaded, nobody frames it.
 * Chromium validates redirects after a form against `form-action` too, so a form that leads to an app names its origin.
 */
function pageHeaders({ leadsTo = [], policy }: PageOptions = {}): Fields {
  const { styles = [], images = [], ...more } = policy ?? {};
  return documentHeaders([styleSource, ...styles].join(' '), {
    formAction: ["'self'", ...leadsTo],
    images: ["'self'", ...images],
    ...more,
  });
}

/** The answer that is a page. */
export function pageAnswer(around: PageContext, page: Page, options: PageOptions = {}): PlainAnswer {
  return {
    kind: 'plain',
    status: options.status ?? 200,
    headers: { ...pageHeaders(options), ...options.headers },
    mediaType: HTML,
    body: document(around, page),
  };
}

/** A page of which the content is the same for all who may see it. */
export interface CommonContent {
  /** What is drawn, with everything that changes it but the state of the store. */
  readonly key: string;
  /** Reads the state of the store, and of the calendar, that it is drawn in. */
  state(): string;
  draw(): Promise<Html>;
  /** The page with this content, as its reader gets it. */
  page(content: Html): Page;
}

/** What stands in a frame where its content belongs: nobody who writes what is shown knows it. */
const PLACE = randomUUID();

/** The answer that is a page whose content is drawn once in a state of the store. */
export function framedPage(around: PageContext, { key, state, draw, page }: CommonContent): FramedAnswer {
  return {
    kind: 'framed',
    headers: pageHeaders(),
    mediaType: HTML,
    key: `page ${key}`,
    state,
    make: async () => (await draw()).text,
    frame: () => {
      const [before = '', after = ''] = document(around, page(new Html(PLACE))).split(PLACE);
      return [before, after];
    },
  };
}

/** The answer that sends the browser on. Koa's own redirect would put the address into a body. */
export function redirect(address: string, status: 302 | 303 = 302): PlainAnswer {
  return {
    kind: 'plain',
    status,
    headers: { ...pageHeaders(), Location: address },
    mediaType: HTML,
    body: '',
  };
}
