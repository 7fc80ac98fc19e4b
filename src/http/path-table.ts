import type { Context, Middleware } from 'koa';
import { Problem } from '../problem.js';
import type { RequestTarget } from './target.js';
import { targetOf } from './target.js';

/** A request to a path that the container has beside the calls of the ontology. */
export interface Visit {
  readonly context: Context;
  readonly target: RequestTarget;
  /** Decoded path parameters in their order. */
  readonly path: readonly string[];
}

/** What answers the methods of a path; HEAD is answered by GET. */
export type Methods = Readonly<Partial<Record<'GET' | 'POST', (visit: Visit) => Promise<void>>>>;

/** Paths below the base URL, `*` for one segment of a path parameter. */
export type PathTable = Readonly<Record<string, Methods>>;

/**
 * Serves the paths of a table and passes every other one on. A trailing slash means nothing, as in calls.
 * @param around what happens around each answer of the table, refusals included
 */
export function pathTable(
  basePath: string,
  table: PathTable,
  around: (visit: Visit, answer: () => Promise<void>) => Promise<void> = (_, answer) => answer(),
): Middleware {
  const rows = Object.entries(table).map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  const beginnings = new Set(Object.keys(table).map(beginning));
  return async (context, next) => {
    const target = targetOf(context, basePath);
    if (!beginnings.has(beginning(target.path ?? ''))) return next();
    for (const { pattern, methods } of rows) {
      const match = target.path === undefined ? null : pattern.exec(target.path);
      if (!match) continue;
      const visit: Visit = { context, target, path: match.slice(1) };
      return around(visit, () => dispatch(methods, decoded(visit)));
    }
    return next();
  };
}

/** The first segment of a path, which no row leaves open: most requests are passed on by it alone. */
function beginning(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.\\^$+?()[\]{}|]/g, '\\$&').replaceAll('*', '([^/]+)');
  return new RegExp(`^${escaped.replace(/\/$/, '')}/?$`);
}

/** A segment whose percent-encoding is broken names nothing. */
function decoded(visit: Visit): Visit {
  try {
    return { ...visit, path: visit.path.map((segment) => decodeURIComponent(segment)) };
  } catch {
    return { ...visit, path: visit.path.map(() => '') };
  }
}

async function dispatch(methods: Methods, visit: Visit): Promise<void> {
  const { context } = visit;
  const allowed = [...Object.keys(methods), ...(methods.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (context.method === 'OPTIONS') {
    context.status = 204;
    context.set('Allow', allowed);
    return;
  }
  const method = context.method === 'HEAD' ? 'GET' : context.method;
  const answer = method === 'GET' || method === 'POST' ? methods[method] : undefined;
  if (!answer) {
    throw new Problem('method-not-allowed', `This path answers ${allowed}.`, { headers: { Allow: allowed } });
  }
  await answer(visit);
}
