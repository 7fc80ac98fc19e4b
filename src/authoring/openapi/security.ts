import type { CallModel, Scope } from '../../model/ontology/model.js';
import { signatureMethods } from '../../access/oauth/signature.js';
import type { JsonObject } from '../../rdf/json-object.js';

const SCHEME = 'oauth1';
export const BEARER = 'bearer';

/** OpenAPI 3.1 has no type for OAuth 1.0a except a header field, so an extension describes its content. */
export function securitySchemes(base: string, hasAnalyses: boolean): JsonObject {
  return {
    [SCHEME]: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'OAuth 1.0a (RFC 5849): each request is signed with the secrets of the app and, where a role is named, of an ' +
        'access token for that record or user.',
      'x-oauth1': {
        signatureMethods: [...signatureMethods.keys()],
        requestTokenUrl: `${base}/oauth/request_token`,
        authorizationUrl: `${base}/oauth/authorize`,
        accessTokenUrl: `${base}/oauth/access_token`,
      },
    },
    ...(hasAnalyses && {
      [BEARER]: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of an analyst (RFC 6750), which says what is seen of people, and why.',
      },
    }),
  };
}

/** Requirements of a call by scope (§4.8.30): the roles that the token must have. */
const requirements: Readonly<Record<Scope, readonly string[]>> = {
  container: [],
  record: ['record'],
  user: ['user'],
  app: [],
};

/** Returns the security requirements of a call; an empty one allows unsigned requests. */
export function securityOf({ scope }: CallModel, containerAccess: 'open' | 'signed'): JsonObject[] {
  const signed = { [SCHEME]: [...requirements[scope]] };
  return scope === 'container' && containerAccess === 'open' ? [{}, signed] : [signed];
}
