import { audioMediaTypes } from '@speech-api/types';
import type { KeptAudio } from './recent-calls.ts';

/** A file that a browser plays. */
export interface PlayableAudio {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const headerBytes = 44;

/** Makes a file of kept audio: pcm gets a header, and that of wav its true sizes, which the stream could not know. */
export function playable({ asked, pieces }: KeptAudio): PlayableAudio {
  const bytes = Buffer.concat(pieces);
  if (asked.format === 'pcm') {
    return {
      mediaType: audioMediaTypes.wav,
      bytes: Buffer.concat([wavHeader(bytes.length, asked.sample_rate), bytes]),
    };
  }
  if (asked.format === 'wav' && bytes.length > headerBytes && bytes.toString('latin1', 36, 40) === 'data') {
    bytes.writeUInt32LE(bytes.length - 8, 4);
    bytes.writeUInt32LE(bytes.length - headerBytes, 40);
  }
  return { mediaType: audioMediaTypes[asked.format], bytes };
}

/** Of 16-bit mono. */
function wavHeader(dataBytes: number, sampleRate: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes + headerBytes - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
