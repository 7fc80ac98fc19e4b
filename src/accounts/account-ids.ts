/** Words that stand beside an id in a path of the API and therefore cannot be one. */
const RESERVED = new Set(['.', '..', 'search', 'manifests']);

const RECORD = /^[A-Za-z0-9._~-]{1,64}$/;
const ACCOUNT = /^[A-Za-z0-9._~@+-]{1,64}$/;

/** Whether a text can be the id of a record: 1 to 64 unreserved URL characters, no reserved word. */
export function isRecordId(text: string): boolean {
  return RECORD.test(text) && !RESERVED.has(text);
}

/** Whether a text can be the id of a user: as of a record, with `@` and `+` allowed. */
export function isUserId(text: string): boolean {
  return ACCOUNT.test(text) && !RESERVED.has(text);
}

/** Whether a text can be the id of an app, which is its consumer key too: the rule of user ids. */
export function isAppId(text: string): boolean {
  return isUserId(text);
}
