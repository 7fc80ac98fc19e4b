import { Counter, Gauge, Registry } from 'prom-client';
import type { MetricValues } from './container-metrics.js';

/** How an attempt to deliver ended: taken by its receiver, to be tried again, or given up. */
export type DeliveryOutcome = 'taken' | 'failed' | 'dead';

/** How many subscriptions there are. */
export interface SubscriptionCounts {
  readonly all: number;
  /** Those of which the last attempt failed. */
  readonly failing: number;
  /** Deliveries that were given up and not told again since. */
  readonly deadLetters: number;
}

/** What the process that delivers counts. No label holds anything of an app or a patient. */
export class WebhookMetrics {
  readonly #registry = new Registry();
  readonly #deliveries: Counter<'outcome'>;

  /** @param counts what was counted when all subscriptions were last looked at */
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
      new Gauge({
        name: `chartgraph_webhook_${name}`,
        help,
        aggregator: 'max',
        registers,
        collect() {
          this.set(counts()[key]);
        },
      });
  }

  delivered(outcome: DeliveryOutcome): void {
    this.#deliveries.inc({ outcome });
  }

  values(): Promise<MetricValues> {
    return this.#registry.getMetricsAsJSON();
  }
}
