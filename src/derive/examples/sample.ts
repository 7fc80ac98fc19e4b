/** A text as documentation shows it: perhaps not all of it. */
export interface Sample {
  readonly mediaType: string;
  readonly text: string;
  /** How many lines at the end are left out. */
  readonly linesOmitted: number;
  /** How many characters of long lines are left out; each such line says so itself. */
  readonly charactersOmitted: number;
}

const MOST_LINES = 140;
const LONGEST_LINE = 480;

/** Cuts a text that is too long to be read, at the end of a line, and lines that hold whole files; both are counted. */
export function sampleOf(mediaType: string, text: string): Sample {
  const lines = text.replace(/\n$/, '').split('\n');
  // Somewhat more than the limit is shown whole: a mark for three lines helps nobody.
  const shown = lines.length > MOST_LINES * 1.2 ? lines.slice(0, MOST_LINES) : lines;
  let charactersOmitted = 0;
  const cut = shown.map((line) => {
    if (line.length <= LONGEST_LINE) return line;
    charactersOmitted += line.length - LONGEST_LINE;
    return `${line.slice(0, LONGEST_LINE)}… ${line.length - LONGEST_LINE} characters more`;
  });
  return { mediaType, text: cut.join('\n'), linesOmitted: lines.length - shown.length, charactersOmitted };
}
