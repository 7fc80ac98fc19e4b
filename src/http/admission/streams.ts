import { networkOf } from '../../access/accounts/sign-in-limits.js';
import type { Metrics } from '../container-metrics.js';
import { Problem } from '../../model/problem.js';
import type { CommitWatch } from '../../store/commit-watch.js';
import { Tally } from './bodies.js';

export interface StreamLimits {
  readonly all: number;
  readonly ofApp: number;
  readonly ofToken: number;
  readonly ofAddress: number;
  readonly heartbeat: number;
}

/** Enough for a tab or two per person, and for a hospital app that follows all of its patients. */
export const STREAM_LIMITS: StreamLimits = {
  all: 1000,
  ofApp: 500,
  ofToken: 5,
  ofAddress: 500,
  heartbeat: 15_000,
};

export interface StreamOwner {
  readonly app: string;
  readonly token: string;
  readonly address: string;
}

/** An open stream. It hears of commits, heartbeats and the end of the process; no method throws. */
export interface OpenStream {
  wake(): void;
  beat(): void;
  stop(): void;
}

export class Streams {
  readonly #open = new Set<OpenStream>();
  readonly #counts = new Tally();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly watch: CommitWatch,
    private readonly metrics: Pick<Metrics, 'streamOpened' | 'streamEnded'>,
    private readonly limits: StreamLimits = STREAM_LIMITS,
  ) {}

  /** @throws Problem too-many-requests at a limit of the owner, unavailable at that of the process or at its end */
  requireRoom(owner: StreamOwner): void {
    const retry = { retryAfter: 10 };
    if (this.#isClosed) throw new Problem('unavailable', 'The container is stopping; try again.', retry);
    const { all } = this.limits;
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

  /** Adds a stream. @returns a function to call once when the stream ends, with the reason in one word */
  add(owner: StreamOwner, stream: OpenStream): (reason: string) => void {
    this.#open.add(stream);
    this.#count(owner, 1);
    this.metrics.streamOpened();
    this.#timer ??= setInterval(() => this.#each('beat'), this.limits.heartbeat).unref();
    const leave = this.watch.add(() => stream.wake());
    return (reason) => {
      if (!this.#open.delete(stream)) return;
      leave();
      this.#count(owner, -1);
      this.metrics.streamEnded(reason);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#each('stop');
    this.watch.close();
  }

  #each(what: keyof OpenStream): void {
    for (const stream of [...this.#open]) stream[what]();
  }

  #count(owner: StreamOwner, by: number): void {
    for (const [, key] of this.#rows(owner)) this.#counts.add(key, by);
  }

  #rows({ app, token, address }: StreamOwner): readonly (readonly [string, string, number])[] {
    const { ofApp, ofToken, ofAddress } = this.limits;
    return [
      ['token', `token ${token}`, ofToken],
      ['app', `app ${app}`, ofApp],
      ['address', `address ${networkOf(address)}`, ofAddress],
    ];
  }
}
