/** Copies a string for long-term storage: in V8, a slice of a long text keeps the whole text in memory. */
export const ownString = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
