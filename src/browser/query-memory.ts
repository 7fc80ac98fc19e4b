/** A query that somebody gave a name. */
export interface NamedQuery {
  readonly name: string;
  readonly query: string;
}

interface Remembered {
  readonly saved: readonly NamedQuery[];
  readonly lately: readonly string[];
}

/** Queries that are remembered. */
const MOST = 50;

/** What the browser remembers of somebody's queries: their texts, and nothing of any answer. */
export interface QueryMemory {
  /** What was saved here before the container held such queries. */
  readonly saved: readonly NamedQuery[];
  /** The latest first. */
  readonly lately: readonly string[];
  ran(query: string): void;
  forget(name: string): void;
  clear(): void;
}

/** @param reader whose queries: several people may use a browser */
export function queryMemory(storage: Storage, reader: string): QueryMemory {
  const key = `chartgraph-queries ${reader}`;
  let held = read(storage.getItem(key));
  const put = (next: Remembered): void => {
    held = next;
    try {
      storage.setItem(key, JSON.stringify(held));
    } catch {
      // A browser without room remembers until the page is left.
    }
  };
  return {
    get saved() {
      return held.saved;
    },
    get lately() {
      return held.lately;
    },
    ran: (query) => {
      const lately = [query, ...held.lately.filter((each) => each !== query)].slice(0, MOST);
      put({ ...held, lately });
    },
    forget: (name) => put({ ...held, saved: held.saved.filter((each) => each.name !== name) }),
    clear: () => put({ ...held, lately: [] }),
  };
}

/** What is stored may be of another version, or of somebody else's making. */
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
