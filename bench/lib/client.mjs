// The load comes from a process of its own; this side tells it what to ask.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('load-client.mjs', import.meta.url));

/**
 * A process that asks. `prepare` signs requests, each of which can be sent once; `go` sends them in a closed loop over
 * keep-alive connections.
 */
export class Client {
  #child = fork(script, { serialization: 'advanced' });

  async #tell(order) {
    this.#child.send(order);
    const [answer] = await once(this.#child, 'message');
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  /**
   * @param requests { method?, path, as?: credentials, headers?, body? }
   * @param options.connections how many at a time; options.within: [from, to] milliseconds of rest between two requests of one
   */
  prepare(url, requests, { connections = 16, loop = false, rest = 0 } = {}) {
    return this.#tell({ what: 'prepare', url, requests, connections, loop, rest });
  }

  /** @returns { count, ms, rate, cpu, latencies, statuses, bytes, failed } */
  go() {
    return this.#tell({ what: 'go' });
  }

  /** Ends a run that goes on for ever (`loop`); its result is that of `go`. */
  halt() {
    this.#child.send({ what: 'halt' });
  }

  /** All at once. */
  async run(url, requests, options) {
    await this.prepare(url, requests, options);
    return this.go();
  }

  async stop() {
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }
}
