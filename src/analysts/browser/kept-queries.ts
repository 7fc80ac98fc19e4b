import type { ListedQueries, ListedQuery } from '../workbench/workbench-data.js';

interface NamedQuery {
  readonly name: string;
  readonly query: string;
}

interface Remembered {
  /** Saved in the browser by earlier versions. */
  readonly saved: readonly NamedQuery[];
  readonly lately: readonly string[];
}

const MAX_RECENT = 50;

export type QueryMemory = ReturnType<typeof queryMemory>;

/** Remembers queries in the browser. @param reader their owner: several people may share a browser */
export function queryMemory(storage: Storage, reader: string) {
  const key = `chartgraph-queries ${reader}`;
  let held = read(storage.getItem(key));
  const put = (next: Remembered): void => {
    held = next;
    try {
      storage.setItem(key, JSON.stringify(held));
    } catch {
      // If storage is full, queries are remembered until the page is closed.
    }
  };
  return {
    held: () => held,
    ran: (query: string): void => {
      const lately = [query, ...held.lately.filter((each) => each !== query)].slice(0, MAX_RECENT);
      put({ ...held, lately });
    },
    forget: (name: string): void => put({ ...held, saved: held.saved.filter((each) => each.name !== name) }),
    clear: (): void => put({ ...held, lately: [] }),
  };
}

/** The stored text may come from another version, or from other code. */
function read(text: string | null): Remembered {
  try {
    const { saved, lately } = JSON.parse(text ?? '{}') as Partial<Record<keyof Remembered, unknown>>;
    return {
      saved: Array.isArray(saved) ? saved.filter(isNamed) : [],
      lately: Array.isArray(lately) ? lately.filter((each) => typeof each === 'string') : [],
    };
  } catch {
    return { saved: [], lately: [] };
  }
}

function isNamed(value: unknown): value is NamedQuery {
  if (typeof value !== 'object' || value === null) return false;
  const { name, query } = value as Partial<Record<keyof NamedQuery, unknown>>;
  return typeof name === 'string' && typeof query === 'string';
}

type QueryToSave = Pick<ListedQuery, 'title' | 'description' | 'query' | 'isShared'>;

export type SavedQueries = ReturnType<typeof savedQueries>;

/** Accesses a user's saved queries; each method rejects with a message for the user. @param address of the list */
export function savedQueries(address: string) {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(path, init).catch(() => undefined);
    if (response?.ok) return response;
    throw new Error(response ? await reasonOf(response) : 'The container did not answer; try again.');
  };
  return {
    list: async (): Promise<ListedQueries> => (await (await send(address, {})).json()) as ListedQueries,
    save: async (query: QueryToSave): Promise<void> => {
      const headers = { 'Content-Type': 'application/json' };
      await send(address, { method: 'POST', headers, body: JSON.stringify(query) });
    },
    remove: async (id: string): Promise<void> => {
      await send(`${address}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
  };
}

async function reasonOf(response: Response): Promise<string> {
  if (response.status === 401) return 'You are signed out; load the page again and sign in.';
  const problem = (await response.json().catch(() => ({}))) as { detail?: unknown };
  return typeof problem.detail === 'string' ? problem.detail : `The container answered ${response.status}.`;
}
