import { readIsoDate } from '../rdf/iso-date.js';
import { literal, namedNode, type Literal } from '../rdf/terms.js';
import { rdf, xsd } from '../rdf/vocabulary.js';
import type { KnownNames } from './known-names.js';
import { postalArea } from './postal-areas.js';
import { shiftDate, type DateView } from './shift-date.js';
import type { Telling } from './told.js';

/** What the literals of one graph are shown with. */
export interface LiteralView extends DateView {
  /** The base URL, without a slash at its end. */
  readonly base: string;
  /** What the person is known by. */
  readonly names: KnownNames;
}

const texts: ReadonlySet<string> = new Set([xsd.string, rdf.langString]);
const dates: ReadonlySet<string> = new Set([xsd.date, xsd.dateTime, xsd.gYear, xsd.gYearMonth]);
/** Other datatypes that values may have; those of bytes, markup and whatever is not known are left out. */
const numbers: ReadonlySet<string> = new Set([
  ...[
    xsd.boolean,
    xsd.integer,
    xsd.nonNegativeInteger,
    xsd.int,
    xsd.long,
    xsd.decimal,
    xsd.double,
    xsd.float,
  ],
  ...[xsd.time, xsd.anyURI],
]);
/** What tells nothing of a person is short. */
const MOST_LETTERS = 1000;
const mailAddress = /[^\s@]@[^\s@]/;

/** The form in which a literal is shown; undefined where nothing of it is. */
export function shownLiteral(value: Literal, telling: Telling, view: LiteralView): Literal | undefined {
  const { value: text, datatype } = value;
  const isText = texts.has(datatype.value);
  const isDate = dates.has(datatype.value);
  if (text.length > MOST_LETTERS || !(isText || isDate || numbers.has(datatype.value))) return undefined;
  if (telling.as === 'place') {
    const area = postalArea(text);
    return area === undefined ? undefined : literal(area);
  }
  // Whatever its property says, a day is a day.
  if (telling.as === 'date' || isDate || readIsoDate(text)?.day !== undefined)
    return shownDate(text, datatype.value, {
      ...view,
      yearOnly: telling.property?.precision === 'year',
    });
  const tells = mailAddress.test(text) || text.includes(`${view.base}/`) || view.names.areIn(text);
  return tells ? undefined : value;
}

function shownDate(text: string, datatype: string, view: DateView): Literal | undefined {
  const shifted = shiftDate(text, view);
  if (shifted === undefined) return undefined;
  return dates.has(datatype) ? literal(shifted, namedNode(datatypeOf(shifted))) : literal(shifted);
}

/** A date that lost its day is of another datatype. */
function datatypeOf(date: string): string {
  if (date.includes('T')) return xsd.dateTime;
  return [xsd.gYear, xsd.gYearMonth, xsd.date][date.split('-').length - 1] ?? xsd.string;
}
