export type RdfFormat = 'rdfxml' | 'turtle' | 'ntriples' | 'nquads' | 'trig' | 'jsonld';

export interface FormatFacts {
  readonly mediaType: string;
  readonly aliases: readonly string[];
  /** Without the dot, the usual one first. */
  readonly extensions: readonly string[];
  readonly quads: boolean;
}

export const formats: Readonly<Record<RdfFormat, FormatFacts>> = {
  rdfxml: {
    mediaType: 'application/rdf+xml',
    aliases: ['application/xml', 'text/xml'],
    extensions: ['rdf', 'xml', 'owl', 'rdfxml'],
    quads: false,
  },
  turtle: { mediaType: 'text/turtle', aliases: ['application/x-turtle'], extensions: ['ttl'], quads: false },
  ntriples: { mediaType: 'application/n-triples', aliases: [], extensions: ['nt'], quads: false },
  nquads: { mediaType: 'application/n-quads', aliases: [], extensions: ['nq'], quads: true },
  trig: { mediaType: 'application/trig', aliases: ['application/x-trig'], extensions: ['trig'], quads: true },
  jsonld: {
    mediaType: 'application/ld+json',
    aliases: ['application/json'],
    extensions: ['jsonld', 'json'],
    quads: true,
  },
};

/** The formats of answers, the default first. A single graph gains nothing from quad formats. */
export const answeredFormats = [
  'rdfxml',
  'turtle',
  'ntriples',
  'jsonld',
] as const satisfies readonly RdfFormat[];

/** The formats of posted statements, the usual one first. */
export const postedFormats = ['rdfxml', 'turtle', 'jsonld'] as const satisfies readonly RdfFormat[];

export const formatNames = Object.keys(formats) as RdfFormat[];

export const typeAliases = Object.fromEntries(
  formatNames.map((name) => [formats[name].mediaType, formats[name].aliases]),
);

/** The format of a file name, ignoring `.gz`; undefined for an unknown extension. */
export function formatOfFile(name: string): RdfFormat | undefined {
  const extension = /\.([^./\\]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  return formatNames.find(
    (format) => extension !== undefined && formats[format].extensions.includes(extension),
  );
}

/** The format of a media type, ignoring its parameters and letter case. */
export function formatOfMediaType(type: string): RdfFormat | undefined {
  const bare = type.replace(/;.*$/s, '').trim().toLowerCase();
  return formatNames.find(
    (format) => formats[format].mediaType === bare || formats[format].aliases.includes(bare),
  );
}
