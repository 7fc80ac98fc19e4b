/** Parts what is shown from what is folded. One alone is not folded: to say so takes as much room. */
export function folded<T>(
  all: readonly T[],
  most: number,
): readonly [shown: readonly T[], rest: readonly T[]] {
  const at = all.length === most + 1 ? all.length : most;
  return [all.slice(0, at), all.slice(at)];
}
