import { AccountError } from './account-ids.js';

/**
 * A scope of SMART App Launch that reads and searches resources of a type, or of all types: `rs` in version 2, `read` in
 * version 1.
 */
const SCOPE = /^(patient|user|system)\/(\*|[A-Z][A-Za-z]{1,63})\.(?:rs|read)$/u;
const MAX_LENGTH = 2000;

/**
 * Checks the scopes of a bearer token, which are separated by spaces.
 * @throws AccountError for one that is unknown, or speaks of a patient where the token has no record
 */
export function checkScope(scope: string, hasRecord: boolean): void {
  if (scope.length > MAX_LENGTH) throw new AccountError(`Scopes have at most ${MAX_LENGTH} characters.`);
  for (const each of scope.split(' ')) {
    const [, context] = SCOPE.exec(each) ?? [];
    if (context === undefined || context === 'system')
      throw new AccountError(
        `A scope is patient/*.rs, user/*.rs or one of a resource type, such as patient/Observation.rs, not ${JSON.stringify(each)}.`,
      );
    if (context === 'patient' && !hasRecord)
      throw new AccountError(`The scope ${each} needs a token for one record; give the record.`);
  }
}

/**
 * Whether the scopes of a token, if it has any, cover a type of FHIR resources. They only narrow what the manifest and the
 * user allow: check those as well.
 */
export function allowsType(token: { readonly scope?: string | undefined }, type: string): boolean {
  if (token.scope === undefined) return true;
  return token.scope.split(' ').some((each) => {
    const [, , covered] = SCOPE.exec(each) ?? [];
    return covered === '*' || covered === type;
  });
}

/** Returns on whose behalf a scope reads: of one patient, of a user, of the system itself; undefined if it reads nothing. */
export function contextOf(scope: string): 'patient' | 'user' | 'system' | undefined {
  return SCOPE.exec(scope)?.[1] as ReturnType<typeof contextOf>;
}

/** Whether a token has a scope that reads on this behalf. */
export function hasContext(token: { readonly scope?: string | undefined }, context: string): boolean {
  return (token.scope ?? '').split(' ').some((each) => contextOf(each) === context);
}
