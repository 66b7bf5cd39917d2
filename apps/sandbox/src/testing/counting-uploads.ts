import { UnreadableAudioError } from '../uploads/sound.ts';
import type { Uploads } from '../uploads/uploads.ts';

/** A reader of sound files that counts how many it reads, and at once. */
export interface CountingUploads extends Uploads {
  /** Number of files read. */
  read: number;
  /** Largest number of files that were read at the same time. */
  atOnce: number;
}

/** @param readable whether every file is a voice of a second, or none is a sound */
export function createCountingUploads({ readable }: { readonly readable: boolean }): CountingUploads {
  let underWay = 0;
  const read: Uploads['hear'] = async () => {
    uploads.read += 1;
    underWay += 1;
    uploads.atOnce = Math.max(uploads.atOnce, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    if (!readable) throw new UnreadableAudioError('it is made up');
    return {
      container: 'wav',
      codec: 'pcm',
      sampleRate: 8000,
      channels: 1,
      duration: 1,
      cut: false,
      decoded: true,
      voice: [{ start: 0, end: 1 }],
      frames: new Uint32Array(),
    };
  };
  const uploads: CountingUploads = {
    read: 0,
    atOnce: 0,
    inspectClip: read,
    hear: read,
    close: async () => {},
  };
  return uploads;
}
