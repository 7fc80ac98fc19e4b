import { LRUCache } from 'lru-cache';
import { ownBytes } from '../../store/disk/bytes.js';
import { coded, codedLater, takesLongToCode, type Coding } from './negotiate.js';

interface Rendered {
  readonly link?: string | undefined;
  readonly body: Buffer;
}

export interface CachedResponse extends Rendered {
  readonly state: string;
  readonly tag: string;
  readonly forms: Map<Coding, Buffer>;
}

const OVERHEAD = 1024;

/** Caches answers by request, the least recently used go first. An entry of another state is a miss. */
export class ResponseCache {
  readonly #entries: LRUCache<string, CachedResponse> | undefined;
  readonly #coding = new SingleFlight<Buffer>();

  constructor(maxBytes: number) {
    if (maxBytes <= 0) return;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      // One huge list must not displace everything else.
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ body, forms }, key) => {
        let size = OVERHEAD + key.length + body.byteLength;
        for (const form of forms.values()) size += form.byteLength;
        return size;
      },
    });
  }

  get(key: string, state: string): CachedResponse | undefined {
    const entry = this.#entries?.get(key);
    return entry?.state === state ? entry : undefined;
  }

  put(key: string, answer: CachedResponse): void {
    this.#entries?.set(key, answer);
  }

  /** Returns the compressed body, made on first use; undefined if it is sent uncompressed. */
  form(key: string, answer: CachedResponse, coding: Coding): Buffer | Promise<Buffer> | undefined {
    if (coding === 'identity') return undefined;
    const known = answer.forms.get(coding);
    if (known) return known;
    if (takesLongToCode(answer.body))
      return this.#coding.join(`${coding} ${key} ${answer.state}`, async () =>
        this.#keep(key, answer, coding, await codedLater(answer.body, coding)),
      );
    const made = coded(answer.body, coding);
    return made && this.#keep(key, answer, coding, made);
  }

  #keep(key: string, answer: CachedResponse, coding: Coding, made: Buffer): Buffer {
    const form = ownBytes(made);
    answer.forms.set(coding, form);
    if (this.#entries?.peek(key) === answer) this.#entries.set(key, answer);
    return form;
  }
}

/** Shares one result among simultaneous requests. A failure is shared too, and the next request tries again. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();
  readonly #isOwn: (error: unknown) => boolean;

  /** @param isOwn whether a failure concerns only the leader, so that one of the waiters tries again */
  constructor(isOwn: (error: unknown) => boolean = () => false) {
    this.#isOwn = isOwn;
  }

  /** @param key determines the result of `make` */
  join(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running)
      return running.catch((error: unknown) => {
        if (this.#isOwn(error)) return this.join(key, make);
        throw error;
      });
    const flight = make().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
