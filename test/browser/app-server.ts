import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppManifest } from '../../src/access/accounts/manifest.js';

/** The pages of an app: they say with which address they were opened. */
export interface AppServer {
  readonly manifest: AppManifest;
  stop(): Promise<void>;
}

/** Serves an app that has an index and a callback. */
export async function startAppServer(id: string): Promise<AppServer> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>App</title><p>The app was opened.</p><!-- ${request.method} -->`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    manifest: {
      id,
      name: 'Growth curves',
      description: 'Draws height and weight of a child over the years.',
      author: 'Paediatric software',
      mode: 'ui',
      index: `${origin}/index.html?lang=en`,
      icon: `${origin}/icon.png`,
      oauth_callback: `${origin}/back?step=2`,
      requires: {
        'http://smartplatforms.org/terms#Demographics': { methods: ['GET'] },
        'http://smartplatforms.org/terms#VitalSignSet': { methods: ['GET'] },
        'http://smartplatforms.org/terms#ClinicalNote': { methods: ['GET', 'POST'] },
      },
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
