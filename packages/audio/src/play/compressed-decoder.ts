import type { AudioFormat } from '@speech-api/types';
import { copyBytes } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';
import { createPacketDecoder, type PacketDecoder } from './packet-decoder.ts';
import { createPacketSource } from './packet-source.ts';
import type { Platform } from './platform.ts';
import type { SampleDecoder, SampleSink } from './sample-decoder.ts';
import { createWholeFileDecoder } from './whole-file-decoder.ts';

/**
 * Decodes mp3 and opus while they arrive, through WebCodecs. Where the browser can not, everything is kept and decoded
 * at the end.
 *
 * @param onError - Told when decoding fails between calls.
 */
export function createCompressedDecoder(
  format: Extract<AudioFormat, 'mp3' | 'opus'>,
  platform: Platform,
  context: BaseAudioContext,
  sink: SampleSink,
  onError: (error: Error) => void,
): SampleDecoder {
  const source = createPacketSource(format);
  const wholeFile = createWholeFileDecoder(context, sink);
  let packetDecoder: PacketDecoder | undefined;
  // Bytes from before it is known which decoder they are for: at most the head of the file.
  let undecided: Uint8Array[] | undefined = [];
  let isClosed = false;

  async function decide(): Promise<void> {
    const { configuration } = source;
    const { codecs } = platform;
    if (codecs !== undefined && configuration !== undefined && (await codecs.isSupported(configuration))) {
      if (!isClosed) packetDecoder = createPacketDecoder(codecs, configuration, sink, onError);
    } else {
      for (const bytes of undecided ?? []) await wholeFile.write(bytes);
    }
    undecided = undefined;
  }

  return {
    async write(bytes) {
      if (undecided === undefined && packetDecoder === undefined) return wholeFile.write(bytes);
      undecided?.push(copyBytes(bytes));
      const packets = source.push(bytes);
      if (undecided !== undefined && packets.length > 0) await decide();
      packetDecoder?.decode(packets);
    },
    async end() {
      const packets = packetDecoder === undefined && undecided === undefined ? [] : source.end();
      if (undecided !== undefined && packets.length > 0) await decide();
      if (undecided !== undefined) {
        if (undecided.every((bytes) => bytes.length === 0)) return;
        throw new AudioFormatError(`No ${format} audio was found in these bytes.`, 'not-recognised');
      }
      packetDecoder?.decode(packets);
      await (packetDecoder ?? wholeFile).end();
    },
    close() {
      isClosed = true;
      packetDecoder?.close();
      wholeFile.close();
    },
    get pendingSeconds() {
      return packetDecoder?.pendingSeconds ?? 0;
    },
  };
}
