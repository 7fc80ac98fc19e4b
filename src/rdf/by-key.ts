export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

export function groupedBy<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) addTo(groups, keyOf(value), value);
  return groups;
}

/** Sorts values by their keys, by code unit. */
export function byKey<Value>(entries: Iterable<readonly [key: string, value: Value]>): Value[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
