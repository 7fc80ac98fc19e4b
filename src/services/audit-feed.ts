import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { RecordedEntry } from '../access/log/access-entry.js';
import { ACCESS_LOG, type AccessLog } from '../access/log/access-log.js';
import { auditEvent } from '../access/log/audit-event.js';
import { addGauge, type MetricValues } from '../http/container-metrics.js';
import { faultFacts } from '../http/fault-facts.js';
import { accessUrn } from '../rdf/vocabulary.js';
import { putFile } from '../store/disk/small-files.js';
import { sendDelivery } from './webhooks/send-delivery.js';

export interface AuditFeedParts {
  readonly accessLog: Pick<AccessLog, 'follow' | 'checkpoint'>;
  /** The data directory. */
  readonly dir: string;
  readonly base: string;
  /** A FHIR server. */
  readonly to: string;
  /** The value of `Authorization`, if any. */
  readonly authorization: string | undefined;
  readonly log: Logger;
}

const TICK_MS = 1000;
const MAX_EVENTS = 100;
/** Milliseconds until a try again; the last one is repeated. */
const DELAYS = [TICK_MS, 5000, 30_000, 60_000, 5 * 60_000] as const;
/** Where the receiver is told to be, beside the log. */
const FILE = 'sent';

/**
 * Sends each entry of the access log to a FHIR server as an AuditEvent, in transactions, in order. What was not accepted
 * is sent again, also after a restart, so that an event may come twice and none is left out.
 */
export class AuditFeed {
  readonly #stop = new AbortController();
  readonly #registry = new Registry();
  readonly #file: string;
  #sent = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: AuditFeedParts) {
    this.#file = join(parts.dir, ACCESS_LOG, FILE);
    addGauge(
      [this.#registry],
      'audit_events_waiting',
      'Entries of the access log that the audit receiver does not have yet.',
      'max',
      () => Math.max(0, parts.accessLog.checkpoint().entries - this.#sent),
    );
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#stop.signal.aborted)
        this.parts.log.error(faultFacts(error), 'the access log is sent no further');
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  numbers(): Promise<MetricValues> {
    return this.#registry.getMetricsAsJSON();
  }

  async #run(): Promise<void> {
    const { accessLog } = this.parts;
    const { signal } = this.#stop;
    this.#sent = await this.#position();
    const follower = await accessLog.follow(this.#sent);
    while (!signal.aborted) {
      const entries = follower.next();
      for (let from = 0; from < entries.length; from += MAX_EVENTS)
        await this.#deliver(entries.slice(from, from + MAX_EVENTS));
      if (entries.length === 0) await wait(TICK_MS, undefined, { signal });
    }
  }

  /** Sends until it is accepted. */
  async #deliver(entries: readonly RecordedEntry[]): Promise<void> {
    const { to, authorization, log } = this.parts;
    const message = {
      headers: {
        'Content-Type': 'application/fhir+json',
        ...(authorization !== undefined && { Authorization: authorization }),
      },
      body: JSON.stringify(this.#bundle(entries)),
    };
    for (let tries = 0; ; tries++) {
      // The operator names the receiver, which may be within their network.
      const sent = await sendDelivery(new URL(to), message, {
        isAllowed: () => true,
        stop: this.#stop.signal,
      });
      if ('status' in sent && sent.status >= 200 && sent.status < 300) break;
      this.#stop.signal.throwIfAborted();
      if (tries === 0)
        log.warn(sent, 'the receiver of audit events did not accept them; they are sent again until it does');
      await wait(DELAYS[Math.min(tries, DELAYS.length - 1)], undefined, { signal: this.#stop.signal });
    }
    this.#sent = entries.at(-1)?.number ?? this.#sent;
    await putFile(this.#file, `${JSON.stringify({ to, number: this.#sent })}\n`);
  }

  #bundle(entries: readonly RecordedEntry[]): object {
    const { base, accessLog } = this.parts;
    const { chain } = accessLog.checkpoint();
    return {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: entries.map((entry) => ({
        fullUrl: `${accessUrn}${chain}:${entry.number}`,
        resource: auditEvent(entry, { base, chain }),
        request: { method: 'POST', url: 'AuditEvent' },
      })),
    };
  }

  /** Returns the number of the last entry that the receiver has; another receiver has none. */
  async #position(): Promise<number> {
    const text = await readFile(this.#file, 'utf8').catch(() => '{}');
    try {
      const { to, number } = JSON.parse(text) as { to?: unknown; number?: unknown };
      return to === this.parts.to && Number.isSafeInteger(number) ? Number(number) : 0;
    } catch {
      return 0;
    }
  }
}
