import { OggWriter, writeOggComments, writeOpusHead } from '@speech-api/audio';
import { audioChannels } from '@speech-api/types';
import { Bitrate, createEncoder, Signal } from 'libopus-wasm';
import type { AudioEncoder } from './samples.ts';
import { joinBytes } from './samples.ts';

const sampleRate = 48000;
const frameLength = 960;
const framesASecond = sampleRate / frameLength;
const packetsAPage = 5;
/** The first page has fewer packets, so that it is sent sooner. */
const packetsOfFirstPage = 2;
const bitsOfPageHeader = (27 + packetsAPage) * 8;
/** This is twice as fast as the default of 9, and sounds the same for one voice. */
const complexity = 5;
/** The encoder's own value for "automatic", which the interface uses too. */
const automatic = Bitrate.Auto;
/** The stream's number has to be the same for the same request, and there is one stream in a file. */
const serial = 0x53504545;

/**
 * Opus in Ogg (RFC 7845). The fixed bitrates are those of the whole stream: the pages around the packets are
 * taken off the encoder's share, or they would make 11 % at 24 kbit/s. Fixed means fixed: speech with its pauses
 * would else stay far below.
 *
 * @param bitrate bit/s, or -1000 for automatic
 */
export async function createOpusEncoder(bitrate: number): Promise<AudioEncoder> {
  const encoder = await createEncoder({
    channels: 1,
    sampleRate,
    frameSize: frameLength,
    signal: Signal.Voice,
    complexity,
    ...(bitrate === automatic
      ? { bitrate: 'auto' as const, vbr: true }
      : { bitrate: bitrate - (framesASecond / packetsAPage) * bitsOfPageHeader, vbr: false }),
  });
  const preSkip = encoder.getLookahead();
  const writer = new OggWriter(serial);
  const head = writeOpusHead({ channels: audioChannels.opus, preSkip }, sampleRate);
  const frame = new Float32Array(frameLength);
  let filled = 0;
  let taken = 0;
  let encoded = 0;
  let packets: Uint8Array[] = [];
  let pages: Uint8Array[] = [writer.headers([head, writeOggComments('OpusTags', 'libopus')])];
  let pageSize = packetsOfFirstPage;

  const encodeFrame = () => {
    if (packets.length === pageSize) closePage(encoded);
    packets.push(encoder.encodeFloat(frame).slice());
    encoded += frameLength;
    filled = 0;
  };
  const closePage = (granule: number, last = false) => {
    pages.push(writer.page(packets, granule, last));
    packets = [];
    pageSize = packetsAPage;
  };
  const takePages = () => {
    const bytes = joinBytes(pages);
    pages = [];
    return bytes;
  };

  return {
    leadingSeconds: 0,
    encode(samples) {
      taken += samples.length;
      let offset = 0;
      while (offset < samples.length) {
        const part = samples.subarray(offset, offset + frameLength - filled);
        frame.set(part, filled);
        filled += part.length;
        offset += part.length;
        if (filled === frameLength) encodeFrame();
      }
      return encoded === 0 ? new Uint8Array(0) : takePages();
    },
    finish() {
      // The decoder drops the pre-skip, so as many more samples have to go in for the last one to come out.
      while (encoded < taken + preSkip) {
        frame.fill(0, filled);
        encodeFrame();
      }
      closePage(taken + preSkip, true);
      return takePages();
    },
    free: () => encoder.free(),
  };
}
