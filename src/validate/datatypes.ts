import { xsd } from '../rdf/vocabulary.js';
import type { Literal } from '../rdf/terms.js';

const year = '-?(?:[1-9]\\d{3,}|0\\d{3})';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00(?:\\.0+)?)';
const zone = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';
const integer = /^[+-]?\d+$/;
const float = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?|[+-]?INF|NaN)$/;

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);
const written = (...parts: readonly string[]): ((text: string) => boolean) =>
  matches(new RegExp(`^${parts.join('')}${zone}$`));
const signed =
  (bits: number) =>
  (text: string): boolean =>
    integer.test(text) && digits(text) <= 20 && BigInt.asIntN(bits, valueOf(text)) === valueOf(text);

/** BigInt reads no plus sign. */
const valueOf = (text: string): bigint => BigInt(text.replace('+', ''));

/** Without leading zeros. Reading the value of a number takes more than linear time. */
const digits = (text: string): number => text.replace(/^[+-]?0*/, '').length;

/** How values of a datatype are written (XML Schema 1.1 part 2); of a datatype that is not here nothing is known. */
const lexical: Readonly<Record<string, (text: string) => boolean>> = {
  [xsd.boolean]: matches(/^(?:true|false|0|1)$/),
  [xsd.integer]: matches(integer),
  [xsd.int]: signed(32),
  [xsd.long]: signed(64),
  [xsd.nonNegativeInteger]: matches(/^(?:\+?\d+|-0+)$/),
  [xsd.decimal]: matches(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/),
  [xsd.double]: matches(float),
  [xsd.float]: matches(float),
  [xsd.date]: written(year, '-', month, '-', day),
  [xsd.dateTime]: written(year, '-', month, '-', day, 'T', time),
  [xsd.time]: written(time),
  [xsd.gYear]: written(year),
  [xsd.gYearMonth]: written(year, '-', month),
  [xsd.base64Binary]: matches(
    /^(?:(?:[A-Za-z0-9+/] ?){4})*(?:(?:[A-Za-z0-9+/] ?){2}= ?=|(?:[A-Za-z0-9+/] ?){3}=)?$/,
  ),
};

/** Whether a literal has a datatype and is written as that asks. */
export function hasDatatype({ value, datatype }: Literal, wanted: string): boolean {
  return datatype.value === wanted && (lexical[wanted]?.(value) ?? true);
}
