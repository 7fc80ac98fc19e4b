import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { ContentKey, DocumentStore } from '../../store/documents/document-files.js';
import { LARGEST_DOCUMENT } from '../../store/documents/put-document.js';

/** A file name leads out of the folder, or a file cannot be read. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** The source of document files when a record is loaded. */
export interface FileSource {
  /**
   * Stores the named file; undefined if it is missing.
   * @param folders to search in order, below the source. '' is the source itself, where only plain names count because
   * its subfolders belong to others
   * @throws FileRefused
   */
  take(
    fileName: string,
    folders: readonly string[],
    store: Pick<DocumentStore, 'put'>,
  ): Promise<ContentKey | undefined>;
}

/** Reads files below a folder; neither names (`..`) nor symbolic links lead out of it. @throws FileRefused */
export async function folderSource(folder: string): Promise<FileSource> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw new FileRefused(`The folder of documents ${folder} cannot be read.`, { cause });
  });
  return {
    async take(fileName, folders, store) {
      const fault = nameFault(fileName);
      if (fault !== undefined) throw new FileRefused(`The file name ${JSON.stringify(fileName)} ${fault}.`);
      const isPlain = !fileName.includes('/');
      for (const below of folders.filter((folder) => isPlain || folder !== '')) {
        const handle = await openInside(root, join(root, below, fileName), fileName);
        if (handle) return await putFile(handle, fileName, store);
      }
      return undefined;
    },
  };
}

/** Returns the problem of a file name as the end of a sentence. */
export function nameFault(fileName: string): string | undefined {
  if (fileName === '') return 'is empty';
  if (fileName.includes('\0')) return 'holds a NUL character';
  if (fileName.includes('\\')) return 'holds a backslash';
  if (isAbsolute(fileName) || /^[A-Za-z]:/.test(fileName)) return 'is an absolute path';
  if (fileName.split('/').some((segment) => ['', '.', '..'].includes(segment))) {
    return 'has empty, "." or ".." segments and could lead out of the folder';
  }
  return undefined;
}

async function openInside(root: string, path: string, fileName: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    const real = await realpath(path);
    const within = root.endsWith(sep) ? root : root + sep;
    if (!real.startsWith(within)) {
      throw new FileRefused(`The file ${JSON.stringify(fileName)} is a link that leads out of the folder.`);
    }
    // The path is resolved: a link that replaces it now is not followed, and a pipe does not block.
    handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (cause instanceof FileRefused) throw cause;
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return undefined;
    throw new FileRefused(`The file ${JSON.stringify(fileName)} cannot be read (${code}).`, { cause });
  }
  const found = await handle.stat();
  if (found.isFile()) return handle;
  await handle.close();
  throw new FileRefused(`${JSON.stringify(fileName)} is not a file.`);
}

async function putFile(handle: FileHandle, fileName: string, store: Pick<DocumentStore, 'put'>) {
  try {
    const { size } = await handle.stat();
    if (size > LARGEST_DOCUMENT) throw new RangeError(`it has ${size} bytes, more than ${LARGEST_DOCUMENT}`);
    return await store.put(handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new FileRefused(`The file ${JSON.stringify(fileName)} cannot be kept: ${cause.message}.`, {
      cause,
    });
  } finally {
    await handle.close();
  }
}
