/** Words that the API uses in place of an id in its paths. */
const RESERVED = new Set(['.', '..', 'search', 'manifests']);

const RECORD = /^[A-Za-z0-9._~-]{1,64}$/;
const ACCOUNT = /^[A-Za-z0-9._~@+-]{1,64}$/;

export function isRecordId(text: string): boolean {
  return RECORD.test(text) && !RESERVED.has(text);
}

/** Like a record id, but `@` and `+` are allowed. */
export function isUserId(text: string): boolean {
  return ACCOUNT.test(text) && !RESERVED.has(text);
}

/** An app's id is also its consumer key. */
export function isAppId(text: string): boolean {
  return isUserId(text);
}

/** Thrown when an account operation is not allowed; the message is one sentence for people. */
export class AccountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AccountError';
  }
}
