/** Months in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish, and their short forms. */
const months = [
  'jan(uary|uar|vier|uari|eiro)?|jän(ner)?|ene(ro)?|gennaio',
  'feb(ruary|ruar|ruari|rero|braio)?|f[ée]v(rier|ereiro)?',
  'mar(ch|s|zo|ço)?|märz?|mrt|maart|apr(il|ile)?|avr(il)?|abr(il)?|may|mai|maj|mei|mayo|maggio|maio',
  'june?|juni|juin|junio|junho|giu(gno)?|jul[yi]?|juil(let)?|julio|julho|lug(lio)?',
  'aug(ust|usti|ustus)?|ao[uû]t|agosto|sept?(ember|embre|tembre|iembre)?|set(tembre|embro|iembre)',
  'oct(ober|obre|ubre)?|o[kt]t(ober|obre)?|outubro|nov(ember|embre|iembre|embro)?',
  'dec(ember)?|dez(ember|embro)?|d[ée]c(embre)?|dic(iembre|embre)?',
].join('|');
const month = String.raw`(?<!\p{L})(${months})(?!\p{L})\.?`;
const gap = String.raw`[\s.,/_\u2010-\u2015-]`;

/** A day within a text, with or without its year. Beside the moved date, it reveals by how many days that is moved. */
const day = new RegExp(
  [
    String.raw`(?<!\d)\d{4}${gap}{1,3}\d{1,2}${gap}{1,3}\d{1,2}(?!\d)`,
    String.raw`(?<!\d)\d{1,2}${gap}{1,3}\d{1,2}${gap}{1,3}\d{4}(?!\d)`,
    String.raw`(?<!\d)\d{1,2}(?<mark>[/._\u2010-\u2015-])\d{1,2}\k<mark>'?\d{2}(?!\d)`,
    String.raw`(?<!\d)(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)`,
    String.raw`(?<!\d)[0-3]?\d\s?(st|nd|rd|th|er|º)?${gap}{0,2}((of|de|di) )?${month}`,
    String.raw`${month}${gap}{0,2}[0-3]?\d(st|nd|rd|th)?(?!\d)`,
    String.raw`月\s?\d{1,2}\s?日`,
  ].join('|'),
  'iu',
);

/** Whether a text holds a day. */
export const hasDay = (text: string): boolean => day.test(text);
