import type { Context } from 'koa';
import { expect, test } from 'vitest';
import type { Flow } from '../../../src/access/oauth/flow.js';
import { isPassword } from '../../../src/http/sign-in/sign-in.js';

test('passwords are checked one after the other, the addresses by turns', async () => {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const checkPassword = async (user: string): Promise<boolean> => {
    most = Math.max(most, ++running);
    order.push(user);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    return user === 'nurse';
  };
  const flow = { accounts: { checkPassword } } as unknown as Flow;
  const from = (clientAddress: string): Context => ({ state: { clientAddress } }) as unknown as Context;
  const tries = Array.from({ length: 40 }, (_, at) =>
    // One customer has a whole /64.
    isPassword(flow, from(`2001:db8::${at.toString(16)}`), `stranger ${at}`, 'guess'),
  );
  expect(await isPassword(flow, from('192.0.2.1'), 'nurse', 'right')).toBe(true);
  expect(order.indexOf('nurse')).toBeLessThanOrEqual(2);
  expect(await Promise.all(tries)).toEqual(tries.map(() => false));
  expect(most).toBe(1);
});
