import { type Recognised, transportStream } from '@speech-api/audio';
import { conversionOfBroadcast, unsupported } from '../errors.ts';
import { createMp3Reader } from './mp3.ts';
import { createOggReader } from './ogg.ts';
import type { TrackReader } from './track.ts';
import { openWav } from './wav.ts';

/**
 * The reader of a file that is read from start to end.
 *
 * @param fileBytes - from here to the end of the file, where that is known
 * @throws RecordingError for what is not read here
 */
export function openReader(recognised: Recognised, fileBytes?: number): TrackReader {
  if (recognised === undefined) throw unsupported('no wav, mp3, flac, Ogg, mp4, mov, webm or aac file');
  if ('other' in recognised) {
    const advice = recognised.other === transportStream ? conversionOfBroadcast : undefined;
    throw unsupported(recognised.other, advice);
  }
  const { container } = recognised;
  if (container === 'wav') return openWav(fileBytes);
  return container === 'ogg' ? createOggReader() : createMp3Reader(fileBytes);
}
