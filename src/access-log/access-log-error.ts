/** The access log cannot be written or read; the message is one sentence that says what to do. */
export class AccessLogError extends Error {
  override readonly name = 'AccessLogError';
}
