import { randomUUID } from 'node:crypto';
import { Html } from '../html/html.js';
import { document, type Page, type PageContext } from '../html/layout.js';
import { styleSource } from '../html/style.js';
import type { Fields, FramedAnswer, PlainAnswer } from '../answer.js';
import { documentHeaders, type DocumentPolicy } from '../content-security-policy.js';

const HTML = 'text/html; charset=utf-8';

export type LeadsTo = readonly string[];

export interface PageOptions {
  readonly status?: number;
  readonly leadsTo?: LeadsTo;
  readonly headers?: Fields | undefined;
  readonly policy?: DocumentPolicy & { readonly styles?: readonly string[] };
}

/** Chromium checks redirects after a form against `form-action`, so a form that leads to an app lists its origin. */
function pageHeaders({ leadsTo = [], policy }: PageOptions = {}): Fields {
  const { styles = [], images = [], ...more } = policy ?? {};
  return documentHeaders([styleSource, ...styles].join(' '), {
    formAction: ["'self'", ...leadsTo],
    images: ["'self'", ...images],
    ...more,
  });
}

export function pageAnswer(around: PageContext, page: Page, options: PageOptions = {}): PlainAnswer {
  return {
    kind: 'plain',
    status: options.status ?? 200,
    headers: { ...pageHeaders(options), ...options.headers },
    mediaType: HTML,
    body: document(around, page),
  };
}

export interface CommonContent {
  readonly key: string;
  /** Returns the state of the store and calendar that the content depends on. */
  state(): string;
  draw(): Promise<Html>;
  page(content: Html): Page;
}

/** Marks where the content goes in the frame; authors of content cannot guess it. */
const PLACE = randomUUID();

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

/** Redirects the browser. Koa's redirect would repeat the address in the body. */
export function redirect(address: string, status: 302 | 303 = 302): PlainAnswer {
  return {
    kind: 'plain',
    status,
    headers: { ...pageHeaders(), Location: address },
    mediaType: HTML,
    body: '',
  };
}
