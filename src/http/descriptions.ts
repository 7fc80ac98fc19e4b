import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { Problem } from '../problem.js';
import type { ContainerContext } from './container-context.js';
import { conditionalGet } from './negotiation/conditional.js';
import { chooseCoding, coded, type Coding } from './kept/content-coding.js';
import { codedTag } from './kept/entity-tag.js';
import { documentHeaders } from './pages/document-headers.js';
import { targetOf } from './target.js';

/** A document made from the ontology alone, the same for everybody. */
export interface Description {
  /** As it goes out in Content-Type. */
  readonly mediaType: string;
  readonly body: Buffer;
  /** Of a page for people: the source of its style, as its content security policy names it. */
  readonly styleSource?: string;
}

/** Descriptions by their path below the base URL; each is made when it is first asked for. */
export type Descriptions = ReadonlyMap<string, () => Promise<Description>>;

/** Answers a request with the description of a path, or with 304. */
export type Describe = (context: Context, path: string) => Promise<void>;

/** A description as it is remembered, with the forms in which it has gone out. */
interface Made extends Description {
  readonly tag: string;
  readonly forms: Map<Coding, Buffer | undefined>;
}

/** Makes descriptions when they are first asked for, and remembers them. */
export function createDescriber(all: Descriptions): Describe {
  const made = new Map<string, Promise<Made>>();
  return async (context, path) => {
    const make = all.get(path);
    if (!make) throw new Error(`there is no description at ${path}`);
    const making = made.get(path) ?? make().then((one) => ({ ...one, tag: tagOf(one), forms: new Map() }));
    made.set(path, making);
    // What could not be made is tried again at the next request.
    making.catch(() => made.delete(path));
    const found = await making;
    const coding = chooseCoding(context.req.headers['accept-encoding']);
    if (found.styleSource !== undefined) context.set(documentHeaders(found.styleSource));
    context.vary('Accept-Encoding');
    context.set('Cache-Control', 'public, max-age=300');
    const tag = codedTag(found.tag, coding);
    if ((await conditionalGet(context, tag, () => Promise.resolve(found))) === undefined) return;
    const form = formOf(found, coding);
    context.set('Content-Type', found.mediaType);
    if (form) context.set('Content-Encoding', coding);
    context.body = form ?? found.body;
  };
}

function formOf({ forms, body }: Made, coding: Coding): Buffer | undefined {
  if (!forms.has(coding)) forms.set(coding, coded(body, coding));
  return forms.get(coding);
}

/** Serves what the container says of itself: schemas, shapes, documentation. It holds nothing of any person. */
export function descriptions(container: ContainerContext, describe: Describe): Middleware {
  return async (context, next) => {
    const path = targetOf(context, container.basePath).path?.replace(/(?!^)\/$/, '') ?? '';
    if (!container.descriptions.has(path)) return next();
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      throw new Problem('method-not-allowed', 'Descriptions answer GET and HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    await describe(context, path);
  };
}

/** Without its quotes, which `codedTag` gives it. */
const tagOf = ({ body, mediaType }: Description): string =>
  createHash('sha256').update(mediaType).update(body).digest('base64url').slice(0, 27);
