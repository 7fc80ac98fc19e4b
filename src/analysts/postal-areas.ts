/**
 * Three-digit areas of US postal codes in which at most 20,000 people live: those of the census of 2000, as the Office
 * for Civil Rights lists them in its guidance on de-identification, with those of 2010, and beginnings that no area has.
 */
const smallAreas: ReadonlySet<string> = new Set(
  (
    '000 001 002 003 004 036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 ' +
    '892 893'
  ).split(' '),
);

const postalCode = /^(\d{3})\d{2}(-\d{4})?$/;

/**
 * What of a place may be shown (45 CFR 164.514(b)(2)(i)(B)): the first three digits of a postal code, 000 where few
 * people live there; undefined for every other text.
 */
export function postalArea(text: string): string | undefined {
  const area = postalCode.exec(text.trim())?.[1];
  return area !== undefined && smallAreas.has(area) ? '000' : area;
}
