// What is read of the longest record, by name, and why no figure is taken of other routes. A test of the routes that the
// container serves finds those that neither names.

/** Paths of a record that an app asks for, by name. @param since a time in its history */
export function signedReads({ record, document }, since) {
  const at = `at=${encodeURIComponent(since)}`;
  const of = `/records/${record}`;
  return {
    'a long list': `${of}/lab_results/`,
    'a long list as Turtle': `${of}/lab_results/?_format=turtle`,
    'a page of a long list': `${of}/lab_results/?limit=1`,
    'a page of an earlier state': `${of}/lab_results/?${at}&limit=1`,
    'an earlier state of a list': `${of}/clinical_notes/?${at}`,
    'an earlier state of a statement': `${of}/clinical_notes/n7?${at}`,
    'a timemap': `${of}/clinical_notes/?timemap`,
    'a timemap of a statement': `${of}/clinical_notes/n7?timemap`,
    'changes as JSON': `${of}/changes?_format=json`,
    'changes as Turtle': `${of}/changes?_format=turtle`,
    'the latest changes': `${of}/changes?_format=json&limit=10&since=0`,
    'a file': `${document}?format=raw`,
    'a file in its description': `${document}?format=combined`,
    documents: `${of}/documents/?format=metadata`,
    'documents with their files': `${of}/documents/?format=combined`,
    'the record': of,
    'a search of FHIR': '/fhir/Observation?_count=1000',
    'a search of FHIR by value': '/fhir/Observation?code=none&_sort=-date',
    'everything as FHIR': `/fhir/Patient/${record}/$everything`,
    'versions of a resource of FHIR': `/fhir/Patient/${record}/_history`,
  };
}

/** Paths that a person opens in a browser, by name. */
export function pageReads({ record, document }) {
  return {
    'who looked': `/account/accesses/${record}`,
    'who looked, as CSV': `/account/accesses/${record}?format=csv`,
    'a download of the record': `/account/exports/${record}`,
    'a record': `/account/records/${record}`,
    'a list of the record': `/account/records/${record}/lab_results`,
    trends: `/account/trends/${record}`,
    'a document': `/account${document}`,
    'apps with access': '/account/apps',
    'a note to be written': `/account/notes/${record}`,
    'records of a person': '/account',
    'what a person may set': '/account/security',
  };
}

/** Paths that an administrator opens in a browser, by name. */
export const adminReads = {
  users: '/admin/users',
  'installed apps': '/admin/apps',
  tokens: '/admin/tokens',
  webhooks: '/admin/webhooks',
  emergencies: '/admin/emergencies',
  exports: '/admin/exports',
  'the access log': '/admin/log',
  'the state': '/admin/state',
};

const list = /^\/records\/\{record_id\}\/(unmapped\/)?\w+\/$/;
const single =
  /^\/records\/\{record_id\}\/((unmapped\/)?\w+\/\{\w+\}|demographics|social_history|photograph)$/;

/** Routes without a figure, by what they are like. */
export const alike = [
  [/^\/apps\/\{app_id\}\/launch$/, 'records of a person'],
  [/^\/fhir\/\{type\}\/\{id\}$/, 'a search of FHIR'],
  [/^\/fhir\/\{type\}\/\{id\}\/_history\/\{version\}$/, 'versions of a resource of FHIR'],
  [/^\/admin$/, 'users'],
  [list, 'a long list'],
  [single, 'an earlier state of a statement'],
  [/^\/account\/records\/\{record_id\}\/(unmapped\/)?\w+\/$/, 'a list of the record'],
  [/^\/account\/records\/\{record_id\}\/.*[^/]$/, 'a document'],
];

/** Routes whose answers are bounded and short, or are made by the process of analysts. */
export const bounded = [
  [/^\/(sparql|analyses|workbench|\.well-known\/void)/, 'queries run in the process of analysts'],
  [/^\/admin\/queries$/, 'the queries that run in the process of analysts'],
  [/^\/health\//, 'a few words'],
  [/^\/(log(in|out)|login\/code|oauth\/authorize)?$/, 'a form'],
  [/^\/account\/(query-tokens|security\/(second-factor|new-password)|accesses|emergency)$/, 'a form'],
  [/^\/account\/notes\/\{record_id\}\/check$/, 'the form of a note'],
  [/^\/account\/closed\/\{record_id\}$/, 'a form, with clinicians and apps to choose from'],
  [/\/(scratchpad|preferences)$/, 'a file, which goes out as it is stored'],
  [/^\/apps\/\{app_id\}\/(exports|tokens)/, 'a page of names at most'],
  [/\/subscriptions(\/\{subscription_id\})?$/, 'as many as an app may have'],
  [/^\/(fhir\/metadata|manifest|ontology|apps\/.*manifests?\/?)$/, 'no data of people'],
  [/^\/(records|users)\/(search|\{user_id\})$/, 'a page, measured as `search`'],
];
