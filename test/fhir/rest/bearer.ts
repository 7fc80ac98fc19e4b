import { UI_APP, type FlowContainer } from '../../http/oauth/flow-container.js';

export interface BearerWish {
  readonly app?: string;
  readonly record?: string | undefined;
  readonly scope?: string;
  readonly lifetime?: number;
}

/** Issues a bearer token in the name of a clinician, for record 1000001 unless the wish says otherwise. */
export async function bearerOf(container: FlowContainer, wish: BearerWish = {}): Promise<string> {
  return (await issuedBearer(container, wish)).token;
}

export function issuedBearer({ directory, accounts }: FlowContainer, wish: BearerWish = {}) {
  const { record, ...bound } = { record: '1000001', ...wish };
  return directory.transact((tx) =>
    accounts.putBearer(tx, {
      ...{
        app: UI_APP,
        user: 'clinician',
        scope: record === undefined ? 'user/*.rs' : 'patient/*.rs',
        ...bound,
      },
      ...(record === undefined ? {} : { record }),
    }),
  );
}

/** Asks below `/fhir` with a bearer token. */
export const withBearer = (container: FlowContainer, path: string, token: string): Promise<Response> =>
  container.request(`/fhir/${path}`, { headers: { Authorization: `Bearer ${token}` } });
