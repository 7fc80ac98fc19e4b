import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMapping } from '../../../src/access/sign-on/claim-mapping.js';
import { identityProvider, ProviderAway } from '../../../src/access/sign-on/identity-provider.js';

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => {
  response.setHeader('Content-Type', 'application/json');
  answer(response);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const begun = () => {
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const mapping = readMapping({ user: 'sub', role: 'groups', roles: [{ value: 'a', role: 'person' }] });
  const settings = { issuer, clientId: 'a', clientSecret: 'b', mapping };
  const provider = identityProvider(settings, `${issuer}/callback`, { warn: () => undefined });
  return provider.begin({ state: 's', nonce: 'n', verifier: 'v'.repeat(43) }, false);
};

it('a provider whose answer has no end is away, and its answer is not kept', async () => {
  let sent = 0;
  answer = (response) => {
    const more = (): void => {
      if (!response.destroyed && sent < 500_000_000)
        response.write(Buffer.alloc(65_536, ' '), () => {
          sent += 65_536;
          more();
        });
    };
    more();
  };
  await expect(begun()).rejects.toThrow(ProviderAway);
  expect(sent).toBeLessThan(50_000_000);
});

it('so is one that stops in the middle of its answer', async () => {
  answer = (response) => void response.write('{"issuer":');
  await expect(begun()).rejects.toThrow(ProviderAway);
});
