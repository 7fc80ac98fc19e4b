import { weights, type Change, type Weight } from './change.js';
import { changeKinds } from './kinds.js';

type Version = readonly [major: number, minor: number];

/** Reads exactly `major.minor`; undefined for any other text. */
function readVersion(text: string): Version | undefined {
  const [, major, minor] = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/u.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/** The lowest version that the changes require, and whether the declared one suffices. */
export interface Verdict {
  /** `owl:versionInfo` as written; '' if missing. */
  readonly old: string;
  readonly declared: string;
  readonly required: string;
  readonly enough: boolean;
  readonly reason: string;
}

/**
 * Returns the version that changes require, by Semantic Versioning 2.0.0 with two numbers: from 1.0 on, the next major
 * for breaking and the next minor for additive changes. Before 1.0 (SemVer §4: anything may change) both require the
 * next minor. Texts for people require nothing. An unreadable old version counts as 0.0.
 */
export function judgeVersion(changes: readonly Change[], old: string, declared: string): Verdict {
  const from = readVersion(old) ?? [0, 0];
  const found = new Set(changes.map(({ kind }) => changeKinds[kind].weight));
  const heaviest = weights.find((weight) => found.has(weight));
  const [major, minor] = requiredVersion(from, heaviest);
  const given = readVersion(declared);
  const enough = given !== undefined && (given[0] - major || given[1] - minor) >= 0;
  const verdict = { old, declared, required: `${major}.${minor}`, enough };
  if (given === undefined) {
    const what =
      declared === '' ? 'No owl:versionInfo is declared' : `${JSON.stringify(declared)} is no version`;
    return { ...verdict, reason: `${what}; write two numbers, such as ${verdict.required}.` };
  }
  const ask =
    heaviest === undefined
      ? `Nothing changed since ${from.join('.')}`
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

function requiredVersion([major, minor]: Version, heaviest: Weight | undefined): Version {
  if (heaviest === undefined || heaviest === 'editorial') return [major, minor];
  return heaviest === 'breaking' && major > 0 ? [major + 1, 0] : [major, minor + 1];
}
