import { AccountError } from '../../access/accounts/account-ids.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { SavedQuery } from '../../access/accounts/saved-queries.js';
import { MAX_QUERY_LENGTH } from '../prepare-query.js';
import type { Audit } from '../../access/oauth/audit.js';
import type { ListedQueries } from '../workbench/workbench-data.js';
import { Problem } from '../../model/problem.js';
import { textAnswer, type Answer } from '../../http/answer.js';
import { bodyBytes } from '../../http/admission/bodies.js';
import { readMediaType } from '../../http/media-type.js';
import type { RequestContext, Route } from '../../http/request-context.js';
import { analystRoute, type Analyst } from '../../http/analyst.js';
import { QUERY_BODY, WORKBENCH_PATH } from './sparql-routes.js';

export interface SavedQueryParts {
  readonly flow: {
    readonly accounts: Pick<Accounts, 'saveQuery' | 'savedQueries' | 'removeSavedQuery'>;
    readonly audit: Audit;
  };
}

export const SAVED_QUERIES_PATH = `${WORKBENCH_PATH}/queries`;
const MAX_TITLE = 80;
const MAX_DESCRIPTION = 500;

/** Makes the routes to list, save and remove queries in the workbench. They need a signed-in browser, not a token. */
export function savedQueryRoutes({ flow: { accounts, audit } }: SavedQueryParts): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    handler: (request: RequestContext, user: string) => Promise<Answer> | Answer,
  ): Route =>
    analystRoute(method, path, (request, analyst) => handler(request, signedIn(analyst)), {
      bodyLimit: QUERY_BODY,
    });
  return [
    route('GET', SAVED_QUERIES_PATH, (_, user) => json(200, listed(accounts.savedQueries(user), user))),
    route('POST', SAVED_QUERIES_PATH, async (request, user) => {
      const wanted = readWanted(request);
      const id = await accounts.saveQuery({ user, ...wanted }).catch(refuse);
      if (wanted.isShared) audit('saved-query.shared', { user });
      return json(201, { id });
    }),
    route('DELETE', `${SAVED_QUERIES_PATH}/{id}`, async ({ path }, user) => {
      if (!(await accounts.removeSavedQuery(user, path['id'] ?? '')))
        throw new Problem('not-found', 'There is no such query, or it is somebody else’s.');
      return { ...textAnswer(''), status: 204 };
    }),
  ];
}

function signedIn({ user, page }: Analyst): string {
  if (!page) throw new Problem('forbidden', 'Saved queries belong to the workbench; sign in there.');
  return user.id;
}

function listed(all: readonly SavedQuery[], reader: string): ListedQueries {
  const shown = ({ saved: _, ...query }: SavedQuery) => query;
  return {
    own: all.filter(({ user }) => user === reader).map(shown),
    shared: all.filter(({ user }) => user !== reader).map(shown),
  };
}

const json = (status: number, value: object): Answer => ({
  kind: 'plain',
  status,
  mediaType: 'application/json',
  headers: { Vary: 'Authorization, Cookie', 'Cache-Control': 'no-store' },
  body: `${JSON.stringify(value)}\n`,
});

/** Reads a query to save. Other sites cannot send this media type without a preflight, which is refused. */
function readWanted({
  context,
  body,
}: RequestContext): Pick<SavedQuery, 'title' | 'description' | 'query' | 'isShared'> {
  if (readMediaType(context.get('Content-Type'))?.essence !== 'application/json')
    throw new Problem('unsupported-media-type', 'Send what is to be saved as application/json.');
  const { title, description, query, isShared } = readJson(bodyBytes(body, QUERY_BODY));
  const isText = (value: unknown, least: number, most: number): value is string =>
    typeof value === 'string' && value.trim().length >= least && value.length <= most;
  if (!isText(title, 1, MAX_TITLE))
    throw new Problem('malformed-request', `title is a text of 1 to ${MAX_TITLE} characters.`);
  if (!isText(description, 0, MAX_DESCRIPTION))
    throw new Problem('malformed-request', `description is a text of at most ${MAX_DESCRIPTION} characters.`);
  if (!isText(query, 1, MAX_QUERY_LENGTH))
    throw new Problem('malformed-request', `query is a text of 1 to ${MAX_QUERY_LENGTH} characters.`);
  return { title: line(title), description: line(description), query, isShared: isShared === true };
}

const line = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below, without quoting the body.
  }
  throw new Problem('malformed-request', 'The body is not a JSON object; send one.');
}

function refuse(error: unknown): never {
  if (error instanceof AccountError) throw new Problem('forbidden', error.message);
  throw error;
}
