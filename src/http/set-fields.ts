import type { Context } from 'koa';

/** The value of a header field, or of one that may stand there several times. */
type Value = string | string[];

/**
 * Sets one header field, or all of some: what Koa's `context.set` does, which takes each through several lists. The
 * fields of an answer make that a twentieth of the time of a cached one.
 */
export function setFields(
  this: Context,
  field: string | Readonly<Record<string, Value>>,
  value?: Value,
): void {
  const { res } = this;
  if (res.headersSent) return;
  if (typeof field === 'string') res.setHeader(field, value ?? '');
  else for (const name in field) res.setHeader(name, field[name] ?? '');
}
