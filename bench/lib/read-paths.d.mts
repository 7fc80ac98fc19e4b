interface Longest {
  readonly record: string;
  readonly document: string;
}
export function signedReads(of: Longest, since: string): Record<string, string>;
export function pageReads(of: Longest): Record<string, string>;
export const alike: readonly (readonly [form: RegExp, like: string])[];
export const bounded: readonly (readonly [form: RegExp, why: string])[];
export const adminReads: Readonly<Record<string, string>>;
