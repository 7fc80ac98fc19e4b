import type { ContainerSettings } from './container-settings.js';
import { Deliveries, type DeliveryParts } from './http/webhooks/deliveries.js';

/**
 * Starts what tells apps of changes that they subscribed to: once for a data directory, in the process that holds it.
 * @returns them, to be closed
 */
export function startDeliveries(
  parts: Omit<DeliveryParts, 'networks' | 'delays'>,
  { webhookNetworks: networks, webhookDelays: delays }: ContainerSettings,
): Deliveries {
  const deliveries = new Deliveries({ ...parts, networks, ...(delays ? { delays } : {}) });
  deliveries.start();
  return deliveries;
}
