export type RdfFormat = 'rdfxml' | 'turtle' | 'ntriples' | 'nquads' | 'trig' | 'jsonld';

export interface FormatFacts {
  readonly mediaType: string;
  /** Other names under which the same format is sent and asked for. */
  readonly aliases: readonly string[];
  /** File name extensions without the dot, the usual one first. */
  readonly extensions: readonly string[];
  /** Whether the format can carry named graphs. */
  readonly quads: boolean;
}

/** The formats of the command line and of HTTP, in the order in which they are preferred. */
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

/** What graphs are answered in, the default first. Quad formats have nothing to add to a single graph. */
export const answeredFormats = [
  'rdfxml',
  'turtle',
  'ntriples',
  'jsonld',
] as const satisfies readonly RdfFormat[];

/** What a posted statement may be written in, the usual one first. */
export const postedFormats = ['rdfxml', 'turtle', 'jsonld'] as const satisfies readonly RdfFormat[];

export const formatNames = Object.keys(formats) as RdfFormat[];

/** Other names of media types, as they are asked for. */
export const typeAliases = Object.fromEntries(
  formatNames.map((name) => [formats[name].mediaType, formats[name].aliases]),
);

/** The format that a file's name promises, `.gz` at the end left aside; undefined when the extension is unknown. */
export function formatOfFile(name: string): RdfFormat | undefined {
  const extension = /\.([^./\\]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  return formatNames.find(
    (format) => extension !== undefined && formats[format].extensions.includes(extension),
  );
}

/** The format of a media type; its parameters and letter case do not matter. */
export function formatOfMediaType(type: string): RdfFormat | undefined {
  const bare = type.replace(/;.*$/s, '').trim().toLowerCase();
  return formatNames.find(
    (format) => formats[format].mediaType === bare || formats[format].aliases.includes(bare),
  );
}
