// Asks as fast as answers come, with as little work as it can: requests are signed and written out beforehand, and of
// an answer only the status and the length are read.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { signRequest } from '../../dist/access/oauth/sign-request.js';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');
let job;
let halted = false;

function written(url, { method = 'GET', path, as, headers = {}, body }) {
  const { host } = new URL(url);
  const own = { Host: host, ...headers };
  if (as)
    own.Authorization = signRequest({
      method,
      url: url + path,
      ...as,
      ...(body === undefined ? {} : { body }),
    });
  if (body !== undefined) own['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

/** One connection: `ask` resolves to the status of the answer, when all of it is there. */
class Connection {
  #socket;
  #waiting;
  #head = Buffer.alloc(0);
  #left = -1;
  /** The end of what has come of an answer in chunks; undefined for one with a length. */
  #tail;
  #status = 0;
  bytes = 0;

  static async open(url) {
    const { hostname, port } = new URL(url);
    const own = new Connection();
    own.#socket = connect({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port, noDelay: true });
    own.#socket.on('data', (chunk) => own.#take(chunk));
    own.#socket.on('error', () => undefined);
    own.#socket.on('close', () => own.#done(0));
    await new Promise((resolve, reject) => own.#socket.once('connect', resolve).once('error', reject));
    return own;
  }

  get isOpen() {
    return !this.#socket.destroyed;
  }

  ask(bytes, then) {
    this.#waiting = then;
    this.#socket.write(bytes);
  }

  close() {
    this.#socket.destroy();
  }

  #take(chunk) {
    this.bytes += chunk.length;
    if (this.#left < 0) {
      const all = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = all.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = all;
        return;
      }
      this.#head = Buffer.alloc(0);
      const head = all.latin1Slice(0, end + 2);
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head);
      if (this.#status === 304 || this.#status === 204) this.#left = 0;
      else if (length) this.#left = Number(length[1]);
      else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#tail = Buffer.alloc(0);
      else throw new Error('an answer without a length');
      if (this.#tail) {
        this.#left = 1;
        this.#tail = all.subarray(-CHUNKS_END.length);
      } else this.#left -= all.length - end - 4;
    } else if (this.#tail) this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-CHUNKS_END.length);
    else this.#left -= chunk.length;
    if (this.#tail ? !this.#tail.equals(CHUNKS_END) : this.#left > 0) return;
    this.#tail = undefined;
    this.#left = -1;
    this.#done(this.#status);
  }

  #done(status) {
    const then = this.#waiting;
    this.#waiting = undefined;
    then?.(status);
  }
}

async function go({ url, bytes, connections, loop, rest }) {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const latencies = new Float64Array(loop ? 2_000_000 : bytes.length);
  const statuses = {};
  let next = 0;
  let answered = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const one = (connection) =>
    new Promise((resolve) => {
      const step = () => {
        if (halted || next >= bytes.length || !connection.isOpen) return resolve();
        const sent = performance.now();
        connection.ask(bytes[next++], (status) => {
          if (answered < latencies.length) latencies[answered++] = performance.now() - sent;
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (rest === 0) step();
          else void wait(rest).then(step);
        });
      };
      step();
    });
  await Promise.all(open.map(one));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of open) connection.close();
  const received = open.reduce((sum, connection) => sum + connection.bytes, 0);
  return {
    count: answered,
    ms,
    rate: (answered / ms) * 1000,
    // Share of one core.
    cpu: (user + system) / 1000 / ms,
    latencies: latencies.slice(0, answered),
    statuses,
    bytes: received,
  };
}

process.on('message', (order) => {
  if (order.what === 'halt') {
    halted = true;
    return;
  }
  if (order.what === 'prepare') {
    const bytes = order.requests.map((request) => written(order.url, request));
    job = { ...order, bytes };
    halted = false;
    process.send({ prepared: bytes.length });
    return;
  }
  go(job).then(
    (result) => process.send(result),
    (error) => process.send({ error: String(error.stack ?? error) }),
  );
});
