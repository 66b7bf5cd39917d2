import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface NewFile {
  readonly bytes: Uint8Array;
  /** Without a dot: letters and digits. */
  readonly extension: string;
}

/** Recordings and pictures, each under a name that nobody can guess. */
export interface FileStore {
  /** Keeps files; they are on the disk when it settles. Answers their names in the same order. */
  write(files: readonly NewFile[]): Promise<readonly string[]>;
  /** `undefined` if there is no file of this name. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Removes files, and ignores those that are already gone. */
  remove(names: readonly string[]): Promise<void>;
  /** Removes all files but these. A killed process may have left files that are not in the database. */
  sweep(keep: ReadonlySet<string>): Promise<void>;
}

const nameShape = /^[\da-f]{32}\.[\da-z]{1,8}$/;
const unfinished = '.part';

function newName({ extension }: NewFile): string {
  return `${randomBytes(16).toString('hex')}.${extension}`;
}

export function createMemoryFiles(): FileStore {
  const stored = new Map<string, Uint8Array>();
  return {
    write: async (files) =>
      files.map((file) => {
        const name = newName(file);
        stored.set(name, file.bytes.slice());
        return name;
      }),
    read: async (name) => stored.get(name),
    remove: async (names) => {
      for (const name of names) stored.delete(name);
    },
    sweep: async (keep) => {
      for (const name of stored.keys()) if (!keep.has(name)) stored.delete(name);
    },
  };
}

/** Keeps files in a folder, which is made when it is not there. */
export async function openFolder(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true });
  return {
    async write(files) {
      const names = await Promise.all(
        files.map(async (file) => {
          const name = newName(file);
          await writeWhole(join(folder, name), file.bytes);
          return name;
        }),
      );
      if (names.length > 0) await syncFolder(folder);
      return names;
    },
    async read(name) {
      if (!nameShape.test(name)) return undefined;
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
    },
    async sweep(keep) {
      const leftovers = (await readdir(folder)).filter((name) => !keep.has(name) && isOurs(name));
      await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

/** Files of other programs in the folder are never removed. */
function isOurs(name: string): boolean {
  return nameShape.test(name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name);
}

/** A file gets its name only when it is complete. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(path + unfinished, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path + unfinished, path);
  } catch (error) {
    await rm(path + unfinished, { force: true });
    throw error;
  }
}

/** The names of new files are on the disk only when their folder is. */
async function syncFolder(folder: string): Promise<void> {
  // Windows does not open folders, and its renames need no such step.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Each with the bytes it starts with in hex: the name and the claimed type of a file are never trusted. */
const fileTypes: readonly (readonly [signature: RegExp, extension: string, mediaType: string])[] = [
  // Pictures come first, because the first bytes of a JPEG also look like an mp3 frame.
  [/^89504e470d0a1a0a/, 'png', 'image/png'],
  [/^ffd8ff/, 'jpg', 'image/jpeg'],
  [/^47494638(37|39)61/, 'gif', 'image/gif'],
  [/^52494646.{8}57454250/, 'webp', 'image/webp'],
  [/^(52494646|52463634).{8}57415645/, 'wav', 'audio/wav'],
  [/^494433/, 'mp3', 'audio/mpeg'],
  [/^fff[0189]/, 'aac', 'audio/aac'],
  [/^ff[ef][2-7a-f]/, 'mp3', 'audio/mpeg'],
  [/^4f676753/, 'ogg', 'audio/ogg'],
  [/^664c6143/, 'flac', 'audio/flac'],
  [/^.{8}66747970/, 'm4a', 'audio/mp4'],
  [/^1a45dfa3/, 'webm', 'audio/webm'],
  [/^464f524d.{8}414946(43|46)/, 'aiff', 'audio/aiff'],
];

const longestSignature = 16;

/** The extension for the name of a file, by its first bytes; `bin` for one that is not known. */
export function extensionOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, longestSignature)).toString('hex');
  return fileTypes.find(([signature]) => signature.test(head))?.[1] ?? 'bin';
}

export function mediaTypeOfFile(name: string): string {
  const extension = name.split('.').at(-1);
  return fileTypes.find(([, ending]) => ending === extension)?.[2] ?? 'application/octet-stream';
}
