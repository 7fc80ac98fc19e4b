import type { PlainAnswer, Representation } from '../../http/answer.js';
import type { Problem, ProblemKind } from '../../model/problem.js';

export const FHIR_JSON = 'application/fhir+json';

export const fhirForms: readonly Representation[] = [FHIR_JSON, 'application/json'].map((mediaType) => ({
  mediaType,
  format: mediaType,
}));

/** The codes of R4 (value set issue-type) for problems. */
const codes: Partial<Readonly<Record<ProblemKind, string>>> = {
  'malformed-request': 'structure',
  'unknown-parameter': 'not-supported',
  'invalid-parameter': 'value',
  unauthorized: 'login',
  forbidden: 'forbidden',
  'no-such-call': 'not-found',
  'not-found': 'not-found',
  gone: 'deleted',
  'no-history': 'not-found',
  'method-not-allowed': 'not-supported',
  'not-acceptable': 'not-supported',
  'unsupported-media-type': 'not-supported',
  'precondition-failed': 'conflict',
  'too-large': 'too-long',
  'too-many-requests': 'throttled',
  unavailable: 'transient',
};

/** Makes an OperationOutcome with one sentence, as JSON text. */
export function outcome(severity: 'error' | 'information', code: string, diagnostics: string): string {
  return JSON.stringify({ resourceType: 'OperationOutcome', issue: [{ severity, code, diagnostics }] });
}

/** Answers with a problem as R4 asks for. */
export function problemOutcome({ kind, status, message, headers }: Problem): PlainAnswer {
  const body = outcome('error', codes[kind] ?? 'exception', message);
  const challenge = headers['WWW-Authenticate'] ?? '';
  const realm = /^OAuth (realm="[^"]*")/u.exec(challenge)?.[1];
  // What takes a signature here takes a bearer token as well.
  const both = realm === undefined ? {} : { 'WWW-Authenticate': `Bearer ${realm}, ${challenge}` };
  return { kind: 'plain', status, mediaType: FHIR_JSON, headers: both, body };
}
