import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { Problem } from '../problem.js';
import type { ContainerContext } from './container-context.js';
import { unlessCurrent } from './conditional.js';
import { readTarget } from './target.js';

/** A document made from the ontology alone, the same for everybody. */
export interface Description {
  /** As it goes out in Content-Type. */
  readonly mediaType: string;
  readonly body: Buffer;
}

/** Descriptions by their path below the base URL; each is made when it is first asked for. */
export type Descriptions = ReadonlyMap<string, () => Promise<Description>>;

/** Serves what the container says of itself: schemas, shapes, documentation. It holds nothing of any person. */
export function descriptions(container: ContainerContext): Middleware {
  const made = new Map<string, Promise<Description & { tag: string }>>();
  return async (context, next) => {
    const { path = '' } = readTarget(context.req.url ?? '/', container.basePath);
    const make = container.descriptions.get(path);
    if (!make) return next();
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      throw new Problem('method-not-allowed', 'Descriptions answer GET and HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    const making =
      made.get(path) ?? make().then((description) => ({ ...description, tag: tagOf(description) }));
    made.set(path, making);
    // What could not be made is tried again at the next request.
    making.catch(() => made.delete(path));
    const { mediaType, body, tag } = await making;
    context.set('Cache-Control', 'public, max-age=300');
    if ((await unlessCurrent(context, tag, () => Promise.resolve(body))) === undefined) return;
    context.set('Content-Type', mediaType);
    context.body = body;
  };
}

const tagOf = ({ body, mediaType }: Description): string =>
  `"${createHash('sha256').update(mediaType).update(body).digest('base64url').slice(0, 27)}"`;
