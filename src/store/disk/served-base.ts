import type { ReadTx, WriteTx } from './transaction.js';

const NAME = 'base';

/** The URL under which a container was last served; undefined if it used any free port. */
export function servedBase(tx: ReadTx): string | undefined {
  return tx.get('meta', NAME) as string | undefined;
}

export function storeServedBase(tx: WriteTx, base: string | undefined): void {
  if (base === undefined) tx.remove('meta', NAME);
  else tx.put('meta', NAME, base);
}
