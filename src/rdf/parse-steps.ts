/** A reading that can be left and gone on with: each step is some milliseconds of work, whatever is read. */
export type Steps<T> = Generator<undefined, T>;

/** Characters that are read in one step. */
const CHUNK = 1 << 16;

/** Gives a text to a reader in chunks, a step each. */
export function* inChunks(text: string, read: (chunk: string) => void): Steps<void> {
  for (let at = 0; at < text.length; at += CHUNK) {
    if (at > 0) yield;
    read(text.slice(at, at + CHUNK));
  }
}

/** Takes all steps, one right after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
