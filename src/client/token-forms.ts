import { readForm } from '../oauth/percent.js';
import { ChartgraphError } from './chartgraph-error.js';
import type { ClientSettings } from './client-settings.js';
import { createSender } from './send.js';

/** A token with its secret. */
export interface TokenPair {
  readonly token: string;
  readonly tokenSecret: string;
}

/** A form for a token endpoint. */
export interface TokenForm {
  /** What errors call it. */
  readonly call: string;
  readonly address: string;
  readonly form?: string;
  /** Protocol parameters beyond the usual ones. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a form and reads the one that it is answered with. @throws ChartgraphError as calls do */
export async function postForm(
  { call, address, form = '', extra = {}, signal }: TokenForm,
  settings: ClientSettings,
): Promise<ReadonlyMap<string, string>> {
  const { bytes } = await createSender(settings)({
    call,
    method: 'POST',
    address,
    body: new TextEncoder().encode(form),
    contentType: 'application/x-www-form-urlencoded',
    extra,
    signal,
  });
  return new Map(readForm(new TextDecoder().decode(bytes)));
}

/** The token that an answer holds. @throws ChartgraphError when it holds none */
export function tokenOf(call: string, answer: ReadonlyMap<string, string>): TokenPair {
  const token = answer.get('oauth_token');
  const tokenSecret = answer.get('oauth_token_secret');
  if (token === undefined || tokenSecret === undefined)
    throw new ChartgraphError('answer', call, 'the answer holds no token.');
  return { token, tokenSecret };
}
