import * as crypto from 'node:crypto';

/** SHA-256 in base64url. In one step where Node.js has that (from 20.12): half the time. */
export const sha256: (content: string | Buffer) => string =
  (crypto.hash as typeof crypto.hash | undefined) === undefined
    ? (content) => crypto.createHash('sha256').update(content).digest('base64url')
    : (content) => crypto.hash('sha256', content, 'base64url');
