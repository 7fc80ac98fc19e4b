const LINE_FEED = 0x0a;

/** A line without its end; undefined if it is longer than the limit and was dropped. */
export type Line = Buffer | undefined;

/** Reads the lines of a stream one by one, with at most one line and one chunk of the stream in memory. */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #ended = false;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  /** Returns the next line without waiting, if a whole one is in memory. */
  ready(limit: number): Buffer | undefined {
    const end = this.#chunk.indexOf(LINE_FEED, this.#at);
    if (end < 0 || end - this.#at > limit) return undefined;
    const line = this.#chunk.subarray(this.#at, end);
    this.#at = end + 1;
    return line;
  }

  /**
   * Returns the next line; `done` after the last one. A line feed at the very end begins no further line.
   * @param limit the most bytes of a line
   */
  async next(limit: number): Promise<{ done: true } | { done: false; line: Line }> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const found = this.#chunk.indexOf(LINE_FEED, this.#at);
      const end = found < 0 ? this.#chunk.length : found;
      const part = this.#chunk.subarray(this.#at, end);
      length += part.length;
      if (length <= limit) parts.push(part);
      else parts.length = 0;
      this.#at = found < 0 ? end : found + 1;
      if (found < 0 && (await this.#more())) continue;
      if (found < 0 && length === 0) return { done: true };
      return { done: false, line: length <= limit ? Buffer.concat(parts) : undefined };
    }
  }

  /** Returns the rest of the stream after the last returned line; no lines follow. */
  async *rest(): AsyncGenerator<Buffer> {
    do {
      const chunk = this.#chunk.subarray(this.#at);
      this.#at = this.#chunk.length;
      if (chunk.length > 0) yield chunk;
    } while (await this.#more());
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    const { done, value } = await this.#chunks.next();
    this.#ended = done === true;
    if (done) return false;
    this.#chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.#at = 0;
    return true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
