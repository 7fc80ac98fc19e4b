import { parseUrl } from '../rdf/parse-url.js';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { signRequest } from '../access/oauth/sign-request.js';
import { isForm } from '../access/oauth/unsigned-request.js';
import { CommandError, UsageError } from './command-errors.js';
import { print } from './output.js';
import { readText } from './argument-values.js';

/** `chartgraph sign`: prints the header for `curl -H "$(chartgraph sign GET URL --token FILE)" URL`. */
export function define(command: Command): void {
  command
    .argument('<method>', 'HTTP method of the request')
    .argument('<url>', 'URL of the request with its query string, exactly as it will be sent')
    .requiredOption('--token <file>', 'what `chartgraph token issue` printed; - reads it from stdin')
    .option('--body <file>', 'what the request will send; only a form is part of the signature')
    .option('--type <type>', 'the Content-Type of the body')
    .action(async (method: string, url: string, { token: file, body, type }: SignOptions) => {
      if (!/^[A-Za-z]+$/u.test(method))
        throw new UsageError(`${JSON.stringify(method)} is not an HTTP method.`);
      if (!/^https?:$/u.test(parseUrl(url)?.protocol ?? '')) {
        throw new UsageError(`${JSON.stringify(url)} is not an http or https URL.`);
      }
      if ((body === undefined) !== (type === undefined))
        throw new UsageError('Give --body and --type together: the type says whether the body is signed.');
      const [name, json] = file === '-' ? ['stdin', await text(process.stdin)] : [file, readText(file)];
      const credentials = readCredentials(json, name);
      const sent = body === undefined ? '' : readText(body);
      // RFC 5849 §3.4.1.3.1: of all bodies, only forms are signed.
      const form = type !== undefined && isForm(type) ? { body: sent, contentType: type } : {};
      const header = signRequest({ method: method.toUpperCase(), url, ...form, ...credentials });
      await print(`Authorization: ${header}`);
    });
}

interface SignOptions {
  readonly token: string;
  readonly body?: string;
  readonly type?: string;
}

interface Credentials {
  consumerKey: string;
  consumerSecret: string;
  token?: string;
  tokenSecret?: string;
}

/** Reads the output of `token issue` or, for calls without a token, of `app add --json`. */
function readCredentials(json: string, file: string): Credentials {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CommandError(`${file} is not JSON; it should hold what \`chartgraph token issue\` printed.`);
  }
  const members = Object(value) as Record<string, unknown>;
  const member = (name: string): string => {
    const found = members[name];
    if (typeof found === 'string' && found !== '') return found;
    throw new CommandError(`${file} has no ${name}; it should hold what \`chartgraph token issue\` printed.`);
  };
  const consumer = { consumerKey: member('consumer_key'), consumerSecret: member('consumer_secret') };
  if (members['oauth_token'] === undefined) return consumer;
  return { ...consumer, token: member('oauth_token'), tokenSecret: member('oauth_token_secret') };
}
