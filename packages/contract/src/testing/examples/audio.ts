import { type Example, examplesWith, speech, words } from '../exchanges.ts';
import { mp3Of, opusOf, paired, pcmOf, swapped, wavOf } from '../sound.ts';

const mp3 = await mp3Of(1.5, 44_100, 128);
const opus = await opusOf(1.5, 24_000);
const wav = wavOf(pcmOf(1.5, 44_100), 44_100);
const wavAsked = (bytes: Uint8Array, sent: object = {}) =>
  speech({ format: 'wav', ...sent }, bytes, 'audio/wav');
const mp3Asked = (bytes: Uint8Array, sent: object = {}) =>
  speech({ format: 'mp3', ...sent }, bytes, 'audio/mpeg');
const opusAsked = (bytes: Uint8Array, sent: object = {}) =>
  speech({ format: 'opus', ...sent }, bytes, 'audio/ogg');
const pcmAsked = (bytes: Uint8Array, sent: object = {}) =>
  speech({ format: 'pcm', ...sent }, bytes, 'audio/pcm');
/** A wav whose sizes are placeholders. */
const streamed = (sizes: number) => wavAsked(wavOf(pcmOf(1.5, 44_100), 44_100, { sizes }));
const good = () => [mp3Asked(mp3), opusAsked(opus), wavAsked(wav), pcmAsked(pcmOf(1.5, 44_100))];

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 16 : byte));
}

function without(bytes: Uint8Array, start: number, count: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + count)]);
}

const shows = examplesWith(() => good());

export const audioExamples: readonly Example[] = [
  shows('audio-format', mp3Asked(wav)),
  shows('audio-format: a header where samples are asked for', pcmAsked(wav)),
  shows('audio-decodes', opusAsked(flipped(opus, Math.floor(opus.length / 2)))),
  shows('audio-decodes: a piece of mp3 is missing', mp3Asked(without(mp3, 6000, 100))),
  shows(
    'audio-decodes: a page where audio belongs',
    mp3Asked(Buffer.from('<html><body>Bad gateway, try again later please</body></html>')),
  ),
  shows('audio-ends-whole', mp3Asked(mp3.subarray(0, -50))),
  shows('audio-ends-whole: opus without its last page', opusAsked(opus.subarray(0, -40))),
  shows(
    'audio-ends-whole: opus whose last page is not marked as the last',
    opusAsked(await opusOf(1.5, 24_000, 1, 0.5, false)),
    good(),
    { severity: 'warning' },
  ),
  shows(
    'audio-ends-whole: less wav than its header promises',
    wavAsked(wav.subarray(0, -4000)),
    [0x7fff_0000, 0x7fff_ffff].map(streamed),
  ),
  shows('audio-ends-whole: half a sample', pcmAsked(pcmOf(1.5, 44_100).subarray(1))),
  shows('audio-sample-rate', mp3Asked(await mp3Of(1.5, 32_000, 128)), [
    ...good(),
    wavAsked(wavOf(pcmOf(1.5, 8000), 8000), { sample_rate: 8000 }),
  ]),
  shows('audio-rate-of-format', mp3Asked(wavOf(pcmOf(1.5, 22_050), 22_050)), mp3Asked(wav)),
  shows('audio-channels', mp3Asked(await mp3Of(1.5, 44_100, 128, 2))),
  shows('audio-channels: pairs of samples', pcmAsked(paired(pcmOf(1.5, 44_100)))),
  shows('audio-channels: wav', wavAsked(wavOf(paired(pcmOf(1.5, 44_100)), 44_100, { channels: 2 }))),
  shows('audio-channels: opus', opusAsked(await opusOf(1.5, 24_000, 2))),
  shows('audio-sample-size', wavAsked(wavOf(pcmOf(1.5, 44_100), 44_100, { bits: 8 }))),
  shows('pcm-byte-order', pcmAsked(swapped(pcmOf(1.5, 44_100)))),
  shows('mp3-bitrate', mp3Asked(mp3, { mp3_bitrate: 192 }), [
    mp3Asked(mp3),
    mp3Asked(await mp3Of(1.5, 44_100, 64), { mp3_bitrate: 64 }),
  ]),
  shows(
    'opus-bitrate',
    opusAsked(await opusOf(1.5, 64_000), { opus_bitrate: 24_000 }),
    [opusAsked(opus, { opus_bitrate: 24_000 }), opusAsked(opus, { opus_bitrate: 64_000 })],
    { severity: 'error' },
  ),
  shows('audio-not-empty', pcmAsked(new Uint8Array())),
  shows('audio-not-empty: a header alone', wavAsked(wavOf(new Uint8Array(), 44_100))),
  shows('audio-not-silent', wavAsked(wavOf(pcmOf(1.5, 44_100, 0), 44_100))),
  shows('audio-not-silent: opus', opusAsked(await opusOf(1.5, 24_000, 1, 0))),
  shows('audio-length-plausible', wavAsked(wavOf(pcmOf(20, 8000), 8000), { sample_rate: 8000 })),
  shows(
    'audio-length-plausible: next to nothing for many words',
    wavAsked(wavOf(pcmOf(1, 8000), 8000), { sample_rate: 8000, text: words.repeat(40) }),
  ),
  shows(
    'wav-header-sizes',
    wavAsked(Buffer.concat([wav.subarray(0, 4), Buffer.from([9, 0, 0, 0]), wav.subarray(8)])),
    [wavAsked(wav), ...[0x7fff_0000, 0x7fff_ffff, 0xffff_ffff].map(streamed)],
  ),
];
