import type { ListedQueries, ListedQuery } from '../pages/listed-queries.js';

/** What somebody saves in their account. */
export type QueryToSave = Pick<ListedQuery, 'title' | 'description' | 'query' | 'isShared'>;

/** The queries that the container holds for whoever is signed in; each call gives a sentence where it is refused. */
export interface SavedQueries {
  list(): Promise<ListedQueries>;
  save(query: QueryToSave): Promise<void>;
  remove(id: string): Promise<void>;
}

/** @param address of the list */
export function savedQueries(address: string): SavedQueries {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(path, init).catch(() => undefined);
    if (response?.ok) return response;
    throw new Error(response ? await reasonOf(response) : 'The container did not answer; try again.');
  };
  return {
    list: async () => (await (await send(address, {})).json()) as ListedQueries,
    save: async (query) => {
      const headers = { 'Content-Type': 'application/json' };
      await send(address, { method: 'POST', headers, body: JSON.stringify(query) });
    },
    remove: async (id) => {
      await send(`${address}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
  };
}

async function reasonOf(response: Response): Promise<string> {
  if (response.status === 401) return 'You are signed out; load the page again and sign in.';
  const problem = (await response.json().catch(() => ({}))) as { detail?: unknown };
  return typeof problem.detail === 'string' ? problem.detail : `The container answered ${response.status}.`;
}
