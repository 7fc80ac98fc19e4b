/**
 * Remembers the results of a pure function for the arguments used most recently.
 * @param limit how many results are kept; the least recently used one goes first
 * @param compute must depend on its argument alone; what it throws is not remembered
 */
export function rememberRecent<T>(limit: number, compute: (argument: string) => T): (argument: string) => T {
  // A Map iterates in order of insertion: its first key is the one not used for longest.
  const results = new Map<string, { readonly result: T }>();
  return (argument) => {
    const known = results.get(argument);
    if (known) {
      results.delete(argument);
      results.set(argument, known);
      return known.result;
    }
    const result = compute(argument);
    results.set(argument, { result });
    if (results.size > limit) {
      for (const oldest of results.keys()) {
        results.delete(oldest);
        break;
      }
    }
    return result;
  };
}
