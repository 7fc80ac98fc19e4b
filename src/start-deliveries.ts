import type { ContainerSettings } from './container-settings.js';
import { Deliveries, type DeliveryParts } from './http/webhooks/deliveries.js';

/**
 * Starts what tells apps of changes that they subscribed to: once for a data directory, in the process that holds it.
 * @returns what ends it
 */
export function startDeliveries(
  parts: Omit<DeliveryParts, 'networks' | 'delays'>,
  { webhookNetworks: networks, webhookDelays: delays }: ContainerSettings,
): () => Promise<void> {
  const deliveries = new Deliveries({ ...parts, networks, ...(delays ? { delays } : {}) });
  deliveries.start();
  return () => deliveries.close();
}
