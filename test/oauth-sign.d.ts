declare module 'oauth-sign' {
  /** Signs in the way of a well-known third-party signer. */
  export function sign(
    signMethod: string,
    httpMethod: string,
    baseUri: string,
    params: Record<string, string>,
    consumerSecretOrPrivateKey: string,
    tokenSecret?: string,
  ): string;
}
