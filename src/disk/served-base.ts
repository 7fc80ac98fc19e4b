import type { ReadTx, WriteTx } from './transaction.js';

const NAME = 'base';

/** The URL under which a container was last seen; undefined where its port was any free one. */
export function servedBase(tx: ReadTx): string | undefined {
  return tx.get('meta', NAME) as string | undefined;
}

/** Has commands, which nobody tells it, read and write IRIs under the same URL. */
export function storeServedBase(tx: WriteTx, base: string | undefined): void {
  if (base === undefined) tx.remove('meta', NAME);
  else tx.put('meta', NAME, base);
}
