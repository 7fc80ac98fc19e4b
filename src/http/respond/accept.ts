interface Range {
  /** `type/subtype` in lower case, either of them perhaps `*`. */
  readonly essence: string;
  readonly quality: number;
}

/**
 * The media type that an Accept field prefers among those offered (RFC 9110 §12.5.1): the highest quality, by the most
 * specific range that fits; among equals the one that is named more exactly, then earlier in the field, then earlier in
 * the offer. Parameters of ranges do not count: what is offered has none, so they set nothing apart.
 * @param field the value of the header, empty where there is none
 * @param aliases other names by which an offer is asked for; a range such as `text/*` does not mean them
 * @returns undefined when every offer is excluded
 */
export function preferredType(
  field: string,
  offered: readonly string[],
  aliases: Readonly<Record<string, readonly string[]>> = {},
): string | undefined {
  if (field.trim() === '') return offered[0];
  const ranges = readAccept(field);
  const [best] = offered
    .flatMap((type) => {
      const [range, specificity] = rangeFor([type, ...(aliases[type] ?? [])], ranges);
      if (!range || range.quality === 0) return [];
      return [{ type, quality: range.quality, specificity, at: ranges.indexOf(range) }];
    })
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity || a.at - b.at);
  return best?.type;
}

/**
 * The most specific range that a media type fits, and how specific that is: 2 the type itself, 1 `type/*`, 0 all.
 * @param names those of the type, the registered one first
 */
function rangeFor(
  names: readonly [string, ...string[]],
  ranges: readonly Range[],
): [Range | undefined, number] {
  const steps = [names, [names[0].replace(/\/.*/, '/*')], ['*/*']];
  for (const [index, step] of steps.entries()) {
    const fitting = ranges.filter(({ essence }) => step.includes(essence));
    const [best] = fitting.sort((a, b) => b.quality - a.quality);
    if (best) return [best, 2 - index];
  }
  return [undefined, 0];
}

/**
 * The ranges of an Accept field in their order; what is no media range is passed over. Java's HttpURLConnection sends
 * `*; q=.2`, which no grammar has and everybody takes: a bare star is all types, a weight may begin with its point.
 */
function readAccept(field: string): Range[] {
  // A quoted string in a parameter may hold commas and semicolons. One that is not closed goes to the end of the field:
  // were it tried and given up, each of many quotation marks would cost a look at all that follows.
  const parts = field.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/g) ?? [];
  return parts.flatMap((part) => {
    const pieces = part.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^;"])+/g) ?? [];
    const [name = '', ...parameters] = pieces.map((piece) => piece.trim().toLowerCase());
    const essence = name === '*' ? '*/*' : name;
    if (!/^[^\s/]+\/[^\s/]+$/.test(essence)) return [];
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    if (weight === undefined) return [{ essence, quality: 1 }];
    return /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/.test(weight)
      ? [{ essence, quality: Number(weight) }]
      : [];
  });
}
