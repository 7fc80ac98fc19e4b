export type PathSegment = { readonly literal: string } | { readonly parameter: string };

export type PathValues = Readonly<Record<string, string | undefined>>;

export const isAtOrBelow = (path: string, place: string): boolean =>
  path.startsWith(place) && (path.length === place.length || path[place.length] === '/');

const PARAMETER = /^\{([^{}]*)\}$/;

/** A path of the ontology, such as `/records/{record_id}/medications/`. A trailing slash does not matter. */
export class PathTemplate {
  readonly text: string;
  readonly segments: readonly PathSegment[];
  readonly parameters: readonly string[];
  readonly slash: '' | '/';
  /** Equal for templates that match the same paths, whatever their parameters are called. */
  readonly shape: string;

  private constructor(text: string) {
    this.text = text;
    this.segments = segmentsOf(text).map((segment) => {
      const parameter = PARAMETER.exec(segment)?.[1];
      return parameter === undefined ? { literal: segment } : { parameter };
    });
    this.parameters = this.segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
    this.slash = text.endsWith('/') ? '/' : '';
    this.shape = textOf(this.segments, () => '{}');
  }

  /** @param text a path with parameters in braces, each a whole segment */
  static of(text: string): PathTemplate {
    let template = known.get(text);
    if (!template) known.set(text, (template = new PathTemplate(text)));
    return template;
  }

  /** Fills in the parameters, without a trailing slash. @throws RangeError when a value is missing */
  fill(values: PathValues): string {
    let path = '';
    for (const segment of this.segments) {
      const text = 'literal' in segment ? segment.literal : values[segment.parameter];
      if (text === undefined)
        throw new RangeError(`${this.text} needs a value for ${JSON.stringify(segment)}`);
      path += `/${text}`;
    }
    return path;
  }

  /** The longest start of the path that the values determine: up to the first parameter without a value. */
  prefix(values: PathValues): string {
    let path = '';
    for (const segment of this.segments) {
      const text = 'literal' in segment ? segment.literal : values[segment.parameter];
      if (text === undefined || text === '') break;
      path += `/${text}`;
    }
    return path;
  }

  /** The part up to the last parameter: for a list, its owner. Without parameters, the empty path. */
  throughLastParameter(): PathTemplate {
    const end = this.segments.findLastIndex((segment) => 'parameter' in segment) + 1;
    return PathTemplate.of(textOf(this.segments.slice(0, end), (name) => `{${name}}`));
  }

  /** Returns the parameters' values in a path, not decoded; undefined when the path does not match. */
  match(path: string): Record<string, string> | undefined {
    const given = segmentsOf(path);
    if (!path.startsWith('/')) return undefined;
    if (given.length !== this.segments.length) return undefined;
    const values: Record<string, string> = {};
    for (const [index, segment] of this.segments.entries()) {
      const text = given[index] ?? '';
      if ('literal' in segment ? segment.literal !== text : text === '') return undefined;
      if ('parameter' in segment) values[segment.parameter] = text;
    }
    return values;
  }

  /** Sorts the more specific template first: at the first difference, a literal before a parameter. */
  static bySpecificity(a: PathTemplate, b: PathTemplate): number {
    for (let at = 0; at < Math.min(a.segments.length, b.segments.length); at++) {
      const [left, right] = [a.segments[at], b.segments[at]].map(
        (segment) => segment && 'literal' in segment,
      );
      if (left !== right) return left ? -1 : 1;
    }
    return a.segments.length - b.segments.length;
  }
}

/** Templates come from ontologies, so there are few, and each is parsed once. */
const known = new Map<string, PathTemplate>();

function textOf(segments: readonly PathSegment[], parameter: (name: string) => string): string {
  const texts = segments.map((segment) =>
    'literal' in segment ? segment.literal : parameter(segment.parameter),
  );
  return `/${texts.join('/')}`;
}

function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}
