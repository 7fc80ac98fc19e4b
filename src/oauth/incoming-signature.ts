/** What a signature is checked against, as the request came. */
export interface IncomingSignature {
  readonly method: string;
  /** Path and query as they stand on the request line, with the path of the base URL. */
  readonly rawTarget: string;
  /** The value of every Authorization header. */
  readonly authorization: readonly string[];
  readonly contentType?: string | undefined;
  /**
   * The bytes of the body, needed for forms and for oauth_body_hash; left out is empty. `unread`: its hash is checked
   * when it is read. `too-large`: it is not read at all, and the caller refuses the request after this check.
   */
  readonly body?: Uint8Array | 'unread' | 'too-large';
  /** Whether a body that came as a form is an RDF document instead, and read as nothing else. */
  readonly isDocument?: boolean;
  /** The Host header, for a hint: what is signed is compared with the base URL alone. */
  readonly host?: string | undefined;
  /** Whether the request came over TLS. */
  readonly secure: boolean;
}
