import type { ExampleRequest } from './example.js';

/** How a reader sends the request of an example from a shell, in lines. */
export interface CurlExample {
  /** Takes a token for it, where the call asks for one. */
  readonly token: string | undefined;
  readonly call: string;
}

/**
 * Shell lines that send a request: `chartgraph sign` signs, curl sends. What they hold is quoted, so that nothing in an
 * address means anything to the shell.
 * @param base without a slash at its end
 * @param isOpen whether the call is answered unsigned
 */
export function curlExample(request: ExampleRequest, base: string, isOpen: boolean): CurlExample {
  const { call, target, body, app, user, record } = request;
  const lines = [
    ...(call.method === 'GET' ? [] : [`-X ${call.method}`]),
    ...(isOpen ? [] : [`-H "$(npx chartgraph sign ${call.method} "$URL" --token token.json)"`]),
    ...(body === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `--data-binary ${data(body.text)}`]),
    '"$URL"',
  ];
  return {
    token: isOpen
      ? undefined
      : `npx chartgraph token issue --app ${quoted(app)} --user ${quoted(user)} --record ${quoted(record)} > token.json`,
    call: `URL=${quoted(base + target)}\ncurl ${lines.join(lines.length > 2 ? ' \\\n     ' : ' ')}`,
  };
}

/** A body that is longer than a line stands in a file. */
const data = (text: string): string => (text.includes('\n') ? '@body.rdf' : quoted(text));

const quoted = (text: string): string =>
  /^[\w@.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
