import { LRUCache } from 'lru-cache';
import { ownBytes } from '../../disk/own-bytes.js';
import { coded, codedLater, takesLongToCode, type Coding } from './content-coding.js';
import { SingleFlight } from './single-flight.js';

/** An answer as it goes out, the same for everybody who may have it. */
interface Rendered {
  /** Where the next page is, as the value of a Link field. */
  readonly link?: string | undefined;
  readonly body: Buffer;
}

/** A rendered answer with the state of the store that it shows, and its coded forms as they were asked for. */
export interface CachedResponse extends Rendered {
  /** As `revisionState` gives it. */
  readonly state: string;
  /** The entity tag without its coding. */
  readonly tag: string;
  readonly forms: Map<Coding, Buffer>;
}

/** What an entry costs beside its bodies, in bytes: key, headers, places in maps. */
const OVERHEAD = 1024;

/**
 * Answers by what was asked for, each with the state of the store that it was made in: an entry of another state is
 * no hit, and its successor takes its place. The least recently used go when the bodies exceed the limit.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, CachedResponse> | undefined;
  readonly #coding = new SingleFlight<Buffer>();

  /** @param maxBytes 0 caches nothing */
  constructor(maxBytes: number) {
    if (maxBytes <= 0) return;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      // One huge list must not drive out everything else.
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ body, forms }, key) => {
        let size = OVERHEAD + key.length + body.byteLength;
        for (const form of forms.values()) size += form.byteLength;
        return size;
      },
    });
  }

  /** The answer to `key` in this very state of the store. */
  get(key: string, state: string): CachedResponse | undefined {
    const entry = this.#entries?.get(key);
    return entry?.state === state ? entry : undefined;
  }

  put(key: string, answer: CachedResponse): void {
    this.#entries?.set(key, answer);
  }

  /** The body in a coding, made when it is first asked for; undefined where it goes out as it is. */
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
    // Its size has changed.
    if (this.#entries?.peek(key) === answer) this.#entries.set(key, answer);
    return form;
  }
}
