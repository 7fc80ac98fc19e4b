import type { ReadTx, WriteTx } from './transaction.js';

/** Which records clinicians open: all, or those that are theirs. */
export const clinicianModes = ['all', 'related'] as const;
export type ClinicianMode = (typeof clinicianModes)[number];

const NAME = 'clinicians';

/** Directories from before the choice existed hold none, and their clinicians keep what they could open. */
export function clinicianMode(tx: ReadTx): ClinicianMode {
  return tx.get('meta', NAME) === 'related' ? 'related' : 'all';
}

export function keepClinicianMode(tx: WriteTx, mode: ClinicianMode): void {
  tx.put('meta', NAME, mode);
}
