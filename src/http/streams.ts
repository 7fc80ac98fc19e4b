import { networkOf } from '../accounts/network-of.js';
import type { Metrics } from '../metrics/container-metrics.js';
import { Problem } from '../problem.js';
import type { CommitWatch } from '../store/commit-watch.js';
import { Tally } from './tally.js';

/** How many streams may be open at a time in this process. */
export interface StreamLimits {
  readonly all: number;
  readonly ofApp: number;
  readonly ofToken: number;
  readonly ofAddress: number;
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number;
}

/** A tab or two of each person who uses an app, and an app of a hospital that follows all of its patients. */
export const STREAM_LIMITS: StreamLimits = {
  all: 1000,
  ofApp: 500,
  ofToken: 5,
  ofAddress: 500,
  heartbeat: 15_000,
};

/** Who opens a stream. */
export interface StreamOwner {
  readonly app: string;
  readonly token: string;
  readonly address: string;
}

/** What an open stream is told. Neither throws. */
export interface OpenStream {
  /** Something was committed. */
  wake(): void;
  /** Some time has passed. */
  beat(): void;
  /** The container stops. */
  stop(): void;
}

/** The streams that are open in this process: counted, told of commits by one watch, and ended with the process. */
export class Streams {
  readonly #watch: CommitWatch;
  readonly #metrics: Pick<Metrics, 'streamOpened' | 'streamEnded'>;
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  readonly #counts = new Tally();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    watch: CommitWatch,
    metrics: Pick<Metrics, 'streamOpened' | 'streamEnded'>,
    limits: StreamLimits = STREAM_LIMITS,
  ) {
    this.#watch = watch;
    this.#metrics = metrics;
    this.#limits = limits;
  }

  /** @throws Problem too-many-requests when its owner has as many open as it may; unavailable when the process stops */
  requireRoom(owner: StreamOwner): void {
    const retry = { headers: { 'Retry-After': '10' } };
    if (this.#isClosed) throw new Problem('unavailable', 'The container is stopping; try again.', retry);
    const { all } = this.#limits;
    if (this.#open.size >= all)
      throw new Problem('unavailable', 'Too many streams are open; try again.', retry);
    for (const [name, key, most] of this.#rows(owner)) {
      if (this.#counts.of(key) < most) continue;
      throw new Problem(
        'too-many-requests',
        `This ${name} has ${most} streams open, which is the most; end one of them first.`,
        retry,
      );
    }
  }

  /** Takes a stream in. @returns what is called once when it has ended, with the reason in a word */
  add(owner: StreamOwner, stream: OpenStream): (reason: string) => void {
    this.#open.add(stream);
    this.#count(owner, 1);
    this.#metrics.streamOpened();
    this.#timer ??= setInterval(() => this.#each('beat'), this.#limits.heartbeat).unref();
    const leave = this.#watch.add(() => stream.wake());
    return (reason) => {
      if (!this.#open.delete(stream)) return;
      leave();
      this.#count(owner, -1);
      this.#metrics.streamEnded(reason);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Ends all streams, and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.#each('stop');
    this.#watch.close();
  }

  #each(what: keyof OpenStream): void {
    for (const stream of [...this.#open]) stream[what]();
  }

  #count(owner: StreamOwner, by: number): void {
    for (const [, key] of this.#rows(owner)) this.#counts.add(key, by);
  }

  #rows({ app, token, address }: StreamOwner): readonly (readonly [string, string, number])[] {
    const { ofApp, ofToken, ofAddress } = this.#limits;
    return [
      ['token', `token ${token}`, ofToken],
      ['app', `app ${app}`, ofApp],
      ['address', `address ${networkOf(address)}`, ofAddress],
    ];
  }
}
