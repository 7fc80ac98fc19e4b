/** Bodies by what grows in them; a body of a size. */
export const bodies: Readonly<Record<string, (size: number) => { format: string; text: string }>>;
export const texts: typeof bodies;
