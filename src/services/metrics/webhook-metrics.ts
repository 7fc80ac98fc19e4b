import { Counter, Registry } from 'prom-client';
import { addGauge, type MetricValues } from '../../http/container-metrics.js';

/** Accepted by the receiver, to be tried again, or given up. */
export type DeliveryOutcome = 'taken' | 'failed' | 'dead';

export interface SubscriptionCounts {
  readonly all: number;
  readonly failing: number;
  readonly deadLetters: number;
}

/** Counts deliveries in the process that sends them. Labels reveal nothing of apps or patients. */
export class WebhookMetrics {
  readonly #registry = new Registry();
  readonly #deliveries: Counter<'outcome'>;

  constructor(counts: () => SubscriptionCounts) {
    const registers = [this.#registry];
    this.#deliveries = new Counter({
      name: 'chartgraph_webhook_deliveries_total',
      help: 'Attempts to deliver a webhook, by how they ended.',
      labelNames: ['outcome'],
      registers,
    });
    const table = [
      ['subscriptions', 'Subscriptions to records.', 'all'],
      ['subscriptions_failing', 'Subscriptions of which the last attempt failed.', 'failing'],
      ['dead_letters', 'Deliveries that were given up and not told again.', 'deadLetters'],
    ] as const;
    for (const [name, help, key] of table)
      addGauge(registers, `webhook_${name}`, help, 'max', () => counts()[key]);
  }

  delivered(outcome: DeliveryOutcome): void {
    this.#deliveries.inc({ outcome });
  }

  values(): Promise<MetricValues> {
    return this.#registry.getMetricsAsJSON();
  }
}
