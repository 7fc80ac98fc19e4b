/** Who a request comes from: an app, and with an access token the user and record that it is bound to. */
export interface Principal {
  readonly app: string;
  readonly token?:
    | {
        readonly id: string;
        /** Undefined for a token of a background app. */
        readonly user?: string | undefined;
        readonly record?: string | undefined;
        /** The digest of what its user was shown that the app needs, where the token is bound to that. */
        readonly allowed?: string | undefined;
      }
    | undefined;
}
