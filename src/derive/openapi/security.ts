import type { CallModel, Scope } from '../../ontology/model.js';
import { signatureMethods } from '../../oauth/signature.js';
import type { JsonObject } from '../../rdf/json-object.js';

/** The name of the security scheme of apps. */
const SCHEME = 'oauth1';
/** That of analysts. */
export const BEARER = 'bearer';

/**
 * OpenAPI 3.1 has no type for OAuth 1.0a: what it can say is that something stands in the Authorization header; what
 * it is stands in an extension.
 */
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

/** What a call asks for by its scope (§4.8.30): a requirement's list names the roles that the token must have. */
const requirements: Readonly<Record<Scope, readonly string[]>> = {
  container: [],
  record: ['record'],
  user: ['user'],
  app: [],
};

/** The security requirements of a call; the empty one says that an unsigned call is answered too. */
export function securityOf({ scope }: CallModel, containerAccess: 'open' | 'signed'): JsonObject[] {
  const signed = { [SCHEME]: [...requirements[scope]] };
  return scope === 'container' && containerAccess === 'open' ? [{}, signed] : [signed];
}
