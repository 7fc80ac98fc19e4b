/** A data directory, or one of its files, cannot be used. The message is a full sentence. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}
