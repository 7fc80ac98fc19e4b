/** Makes a value for an object on first use, and caches it for the object's lifetime. */
export function madeOnce<Key extends object, Value, Others extends unknown[]>(
  make: (of: Key, ...others: Others) => Value,
): (of: Key, ...others: Others) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (of, ...others) => {
    let made = known.get(of);
    if (!made) known.set(of, (made = { value: make(of, ...others) }));
    return made.value;
  };
}
