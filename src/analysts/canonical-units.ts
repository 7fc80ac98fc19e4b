import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import { LRUCache } from 'lru-cache';
import { UnitString } from '@lhncbc/ucum-lhc/source-cjs/unitString.js';

export interface CanonicalQuantity {
  readonly value: number;
  /** In base units of UCUM, as `g.m-3`; `1` for pure numbers. */
  readonly unit: string;
}

type Conversion = (value: number) => CanonicalQuantity | undefined;

const MAX_UNIT = 64;
const MAX_CACHED = 10_000;
/** Hides that 5 * 1000 / 1e-9 is 4999999999999.999. */
const DIGITS = 12;

const none: Conversion = () => undefined;
const conversions = new LRUCache<string, Conversion>({ max: MAX_CACHED, memoMethod: conversionOf });
const codes = new LRUCache<string, boolean>({ max: MAX_CACHED, memoMethod: readsAsCode });

/**
 * Converts a quantity to base units (UCUM, §18–21). Undefined for a unit that is not a case-sensitive code of UCUM, and for
 * arbitrary units such as [IU], which convert to nothing.
 */
export function canonicalQuantity(value: number, unit: string): CanonicalQuantity | undefined {
  return conversions.memo(unit)(value);
}

function conversionOf(unit: string): Conversion {
  if (!isUcum(unit)) return none;
  const units = UcumLhcUtils.getInstance();
  const { status, magnitude = NaN, unitToExp = {}, fromUnitIsSpecial } = units.convertToBaseUnits(unit, 1);
  if (status !== 'succeeded') return none;
  const powers = Object.entries(unitToExp).map(([name, power]) => (power === 1 ? name : `${name}${power}`));
  const base = powers.sort().join('.') || '1';
  return (value) => {
    const exact =
      fromUnitIsSpecial === true ? units.convertToBaseUnits(unit, value).magnitude : value * magnitude;
    const rounded = Number(exact?.toPrecision(DIGITS));
    return Number.isFinite(rounded) ? { value: rounded, unit: base } : undefined;
  };
}

/** Whether a text is a code of UCUM. */
export function isUcum(unit: string): boolean {
  return unit.length <= MAX_UNIT && codes.memo(unit);
}

/** The conversion writes texts that it cannot read to the log, and guesses at names. */
function readsAsCode(unit: string): boolean {
  try {
    // Reads the tables of units, without which none is known.
    UcumLhcUtils.getInstance();
    const [found, read] = UnitString.getInstance().parseString(unit, 'validate', false);
    return found !== null && read === unit;
  } catch {
    return false;
  }
}
