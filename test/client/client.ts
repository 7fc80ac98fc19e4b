import { createClient, type Client } from '../../src/client/client.js';
import type { TestContainer } from '../http/container.js';

/** The app of the seed that acts for people, and the user it acts for here. */
export const APP = 'demo-ui@apps.example.org';
export const USER = 'clinician';

/** A client of a test container with a token for one record. */
export async function clientOf(container: TestContainer, record: string): Promise<Client> {
  return createClient({ baseUrl: container.url, ...(await container.token(record, APP, USER)) });
}
