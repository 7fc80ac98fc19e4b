import type { Ontology, PropertyModel } from '../../model/ontology/model.js';
import { mediaTypes, rdf } from '../../rdf/vocabulary.js';
import { isUcum } from '../canonical-units.js';
import type { KnownNames } from '../known-names.js';

const compiled = new Map<string, RegExp>();

/** Whether a whole text fits a form of the ontology. */
function fits(text: string, form: string): boolean {
  const known = compiled.get(form) ?? new RegExp(`^(?:${form})$`, 'u');
  compiled.set(form, known);
  return known.test(text);
}

/** A value of a property that states no form: a number, a titer or a truth value. A longer number could be a telephone. */
const plainForm = String.raw`[<>]?=? ?[+-]?\d{0,6}(\.\d{1,9})?([eE][+-]?\d{1,3})?|1:\d{1,5}|true|false`;

const commonOf = (text: string, common: readonly string[] = []): string | undefined =>
  common.find((each) => each.toLowerCase() === text.toLowerCase());

/** More digits could be a telephone number or a year; `mL/min/1.73m2` has four. */
const MAX_UNIT_DIGITS = 4;

/** Whether a text is common, or a unit of UCUM whose annotations in braces are. UCUM allows any words there. */
function isUnit(text: string, common: readonly string[] | undefined): boolean {
  const isShort = text.length <= 40 && text.replaceAll(/\D/g, '').length <= MAX_UNIT_DIGITS;
  if (!isShort || /\d{4}/.test(text)) return false;
  const notes = [...text.matchAll(/\{([^{}]*)\}/g)];
  return notes.every(([, note = '']) => commonOf(note, common) !== undefined) && isUcum(text);
}

/** Returns a value in the form in which it is shown; undefined if it is not one that tells nothing. */
export function commonValue(
  text: string,
  { form, common }: Pick<PropertyModel, 'form' | 'common'>,
  isOfUnits: boolean,
): string | undefined {
  const known = commonOf(text, common);
  if (known !== undefined) return known;
  const isShown = isOfUnits ? isUnit(text, common) : !common && fits(text, form ?? plainForm);
  return isShown ? text : undefined;
}

const mediaType = new RegExp(
  '^(text/(plain|html|xml|rtf|csv|markdown)|image/(jpeg|png|gif|tiff|bmp|webp|svg\\+xml)|audio/(mpeg|mp4|ogg|wav)|' +
    'video/(mp4|mpeg|quicktime)|application/(pdf|dicom|dicom\\+json|json|xml|rdf\\+xml|fhir\\+json|fhir\\+xml|rtf|' +
    'msword|zip|octet-stream))$',
);

/**
 * Makes a test for public IRIs: terms of the ontology, common media types, and codes that have the form of codes of
 * their system and hold no names or number of the person. Others could identify a person.
 */
export function publicIris({ classes, terms }: Ontology): (iri: string, names: KnownNames) => boolean {
  const systems = [...classes.values()].flatMap(({ codeBase, form }) =>
    codeBase === undefined || form === undefined ? [] : [{ codeBase, form }],
  );
  return (iri, names) => {
    if (iri === rdf.nil || terms.has(iri)) return true;
    if (iri.startsWith(mediaTypes)) return mediaType.test(iri.slice(mediaTypes.length));
    const system = systems.find(({ codeBase }) => iri.startsWith(codeBase));
    const code = iri.slice(system?.codeBase.length);
    return system !== undefined && code.length <= 64 && fits(code, system.form) && !names.areIn(code);
  };
}
