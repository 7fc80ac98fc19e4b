import type { Change, Weight } from './change.js';
import { changeKinds } from './kinds.js';

/** The two numbers of an `owl:versionInfo`. */
export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** `major.minor`, nothing else; undefined for any other text. */
function readVersion(text: string): Version | undefined {
  const [, major, minor] = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/u.exec(text) ?? [];
  return major === undefined || minor === undefined
    ? undefined
    : { major: Number(major), minor: Number(minor) };
}

function writeVersion({ major, minor }: Version): string {
  return `${major}.${minor}`;
}

/** The least version that some changes ask for, and whether the declared one is enough. */
export interface Verdict {
  /** `owl:versionInfo` of the two, as it stands there; '' where nothing does. */
  readonly old: string;
  readonly declared: string;
  readonly required: string;
  readonly enough: boolean;
  /** Why, in one sentence. */
  readonly reason: string;
}

/**
 * Which version changes ask for. Semantic Versioning 2.0.0 with two numbers: from 1.0 on, breaking changes ask for the
 * next major and additive ones for the next minor. Before 1.0 (SemVer §4: anything may change) both ask for the next
 * minor. Words for people ask for nothing. An old ontology without a readable version counts as 0.0.
 */
export function judgeVersion(changes: readonly Change[], old: string, declared: string): Verdict {
  const from = readVersion(old) ?? { major: 0, minor: 0 };
  const heaviest = heaviestOf(changes);
  const required = requiredVersion(from, heaviest);
  const given = readVersion(declared);
  const enough = given !== undefined && compare(given, required) >= 0;
  const verdict = { old, declared, required: writeVersion(required), enough };
  if (given === undefined) {
    const what =
      declared === '' ? 'No owl:versionInfo is declared' : `${JSON.stringify(declared)} is no version`;
    return { ...verdict, reason: `${what}; write two numbers, such as ${verdict.required}.` };
  }
  const ask =
    heaviest === undefined
      ? `Nothing changed since ${writeVersion(from)}`
      : `${asking[heaviest]} ask for ${heaviest === 'editorial' ? 'no new version' : `at least ${verdict.required}`}`;
  return {
    ...verdict,
    reason: `${ask}; ${declared} is declared${enough ? '' : ', which is too small'}.`,
  };
}

const asking: Record<Weight, string> = {
  breaking: 'Breaking changes',
  additive: 'Additive changes',
  editorial: 'Editorial changes',
};

function heaviestOf(changes: readonly Change[]): Weight | undefined {
  const found = new Set(changes.map(({ kind }) => changeKinds[kind].weight));
  return (['breaking', 'additive', 'editorial'] as const).find((weight) => found.has(weight));
}

function requiredVersion({ major, minor }: Version, heaviest: Weight | undefined): Version {
  if (heaviest === undefined || heaviest === 'editorial') return { major, minor };
  return heaviest === 'breaking' && major > 0 ? { major: major + 1, minor: 0 } : { major, minor: minor + 1 };
}

function compare(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor;
}
