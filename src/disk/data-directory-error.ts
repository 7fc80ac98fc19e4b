/** A data directory, or a file that should become part of one, that cannot be used. The message is one full sentence. */
export class DataDirectoryError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DataDirectoryError';
  }
}
