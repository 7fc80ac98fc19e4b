/** Something about an app, a user, a token or the key that cannot be done; the message is one clear sentence. */
export class AccountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AccountError';
  }
}
