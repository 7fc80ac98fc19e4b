import type { Socket } from 'node:net';

/** The connections that are open, by client; as many entries as there are connections at most. */
export class OpenConnections {
  readonly #counts = new Map<string, number>();
  all = 0;

  of(client: string): number {
    return this.#counts.get(client) ?? 0;
  }

  add(client: string, socket: Socket): void {
    this.#change(client, 1);
    socket.once('close', () => this.#change(client, -1));
  }

  #change(client: string, by: number): void {
    this.all += by;
    const count = this.of(client) + by;
    if (count > 0) this.#counts.set(client, count);
    else this.#counts.delete(client);
  }
}
