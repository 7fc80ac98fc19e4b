import type { Limit } from '../../ontology/model.js';

const ANY = '[0-9]*(\\.[0-9]*)?';

/**
 * A pattern of the decimal numbers on one side of a bound: by the first digit that differs. SHACL does not compare plain
 * text, and some engines compare numbers by their first digits alone. It takes every text for a number; XPath, JavaScript
 * and Python read it alike.
 */
export function numberPattern({ side, open, bound }: Pick<Limit, 'side' | 'open' | 'bound'>): string {
  const [, whole = '', fraction = ''] = /^[+-]?0*([0-9]*)(?:\.([0-9]*?)0*)?$/.exec(bound) ?? [];
  const isZero = whole + fraction === '';
  // The sign of the numbers that lie farther on this side than zero.
  const [sign, other] = side === 'least' ? ['\\+?', '-'] : ['-', '\\+?'];
  const isBeyondZero = isZero || bound.startsWith('-') === (side === 'most');
  const same = fraction === '' ? `${whole}(\\.0*)?` : `${whole}\\.${fraction}0*`;
  const apart = isBeyondZero ? larger(whole, fraction) : smaller(whole, fraction);
  const magnitudes = `0*(${[...apart, ...(open ? [] : [same])].join('|')})`;
  const alternatives = isBeyondZero
    ? [sign + magnitudes, ...(isZero && !open ? [`${other}0*(\\.0*)?`] : [])]
    : [sign + ANY, other + magnitudes];
  return `^(${alternatives.join('|')})$`;
}

/** Numbers without a sign that are larger: by a digit, by more digits before the point, or by some behind them. */
function larger(whole: string, fraction: string): string[] {
  const byDigit = differing(whole, fraction, (digit) => (digit < 9 ? `[${digit + 1}-9]` : ''));
  return [...byDigit, `[1-9][0-9]{${whole.length},}(\\.[0-9]*)?`, `${whole}\\.${fraction}0*[1-9][0-9]*`];
}

/** Numbers without a sign that are smaller: by a digit, by fewer digits before the point, or by fewer behind it. */
function smaller(whole: string, fraction: string): string[] {
  const byDigit = differing(whole, fraction, (digit) => (digit > 0 ? `[0-${digit - 1}]` : ''));
  const shorter = whole === '' ? [] : [`[0-9]{0,${whole.length - 1}}(\\.[0-9]*)?`];
  return [
    ...byDigit,
    ...shorter,
    ...[...fraction].map((_, digits) => `${whole}(\\.${fraction.slice(0, digits)})?`),
  ];
}

/** Numbers with the same digits up to one that differs. */
function differing(whole: string, fraction: string, digits: (digit: number) => string): string[] {
  return [...(whole + fraction)].flatMap((digit, index) => {
    const others = digits(Number(digit));
    if (others === '') return [];
    const behind = index - whole.length;
    return behind < 0
      ? [`${whole.slice(0, index)}${others}[0-9]{${-behind - 1}}(\\.[0-9]*)?`]
      : [`${whole}\\.${fraction.slice(0, behind)}${others}[0-9]*`];
  });
}
