const date = 'a date as YYYY, YYYY-MM or YYYY-MM-DD';
const uri = 'a URI: it is empty, holds white space, or begins like a URN and is none';

/** What the primitive datatypes of FHIR R4 allow, to be put after "… is not". */
export const formatSentences: Readonly<Record<string, string>> = {
  base64Binary: 'base64: letters, digits, + and /, in groups of four, filled up with =',
  canonical: uri,
  code: 'a code: no space at its ends and single spaces inside',
  date,
  dateTime: `${date}, or a date with time and zone as YYYY-MM-DDThh:mm:ss+zz:zz`,
  id: 'an id: 1 to 64 letters, digits, hyphens and dots',
  instant: 'an instant: YYYY-MM-DDThh:mm:ss+zz:zz',
  integer: 'an integer between -2147483648 and 2147483647',
  oid: 'an OID as urn:oid:1.2.3',
  positiveInt: 'an integer between 1 and 2147483647',
  time: 'a time as hh:mm:ss',
  unsignedInt: 'an integer between 0 and 2147483647',
  uri,
  url: uri,
  uuid: 'a UUID as urn:uuid: with 8-4-4-4-12 hexadecimal digits in small letters',
  resourceType: 'the name of a resource type',
};
