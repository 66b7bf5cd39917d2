import { type Example, speech, words } from '../../testing/exchanges.ts';
import { mp3Of, opusOf, paired, pcmOf, swapped, wavOf } from '../../testing/sound.ts';

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
const good = () => [mp3Asked(mp3), opusAsked(opus), wavAsked(wav), pcmAsked(pcmOf(1.5, 44_100))];

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 16 : byte));
}

function without(bytes: Uint8Array, start: number, count: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + count)]);
}

export const audioExamples: readonly Example[] = [
  { rule: 'audio-format', keeps: good(), breaks: [mp3Asked(wav)] },
  {
    rule: 'audio-format',
    about: 'a header where samples are asked for',
    keeps: good(),
    breaks: [pcmAsked(wav)],
  },
  { rule: 'audio-decodes', keeps: good(), breaks: [opusAsked(flipped(opus, Math.floor(opus.length / 2)))] },
  {
    rule: 'audio-decodes',
    about: 'a piece of mp3 is missing',
    keeps: good(),
    breaks: [mp3Asked(without(mp3, 6000, 100))],
  },
  {
    rule: 'audio-decodes',
    about: 'a page where audio belongs',
    keeps: good(),
    breaks: [mp3Asked(Buffer.from('<html><body>Bad gateway, try again later please</body></html>'))],
  },
  { rule: 'audio-ends-whole', keeps: good(), breaks: [mp3Asked(mp3.subarray(0, -50))] },
  {
    rule: 'audio-ends-whole',
    about: 'opus without its last page',
    keeps: good(),
    breaks: [opusAsked(opus.subarray(0, -40))],
  },
  {
    rule: 'audio-ends-whole',
    about: 'less wav than its header promises',
    keeps: good(),
    breaks: [wavAsked(wav.subarray(0, -4000))],
  },
  {
    rule: 'audio-ends-whole',
    about: 'half a sample',
    keeps: good(),
    breaks: [pcmAsked(pcmOf(1.5, 44_100).subarray(1))],
  },
  {
    rule: 'audio-sample-rate',
    keeps: [...good(), wavAsked(wavOf(pcmOf(1.5, 8000), 8000), { sample_rate: 8000 })],
    breaks: [mp3Asked(await mp3Of(1.5, 32_000, 128))],
  },
  { rule: 'audio-rate-of-format', keeps: good(), breaks: [wavAsked(wavOf(pcmOf(1.5, 22_050), 22_050))] },
  { rule: 'audio-channels', keeps: good(), breaks: [mp3Asked(await mp3Of(1.5, 44_100, 128, 2))] },
  {
    rule: 'audio-channels',
    about: 'pairs of samples',
    keeps: good(),
    breaks: [pcmAsked(paired(pcmOf(1.5, 44_100)))],
  },
  {
    rule: 'audio-channels',
    about: 'wav',
    keeps: good(),
    breaks: [wavAsked(wavOf(paired(pcmOf(1.5, 44_100)), 44_100, { channels: 2 }))],
  },
  { rule: 'audio-channels', about: 'opus', keeps: good(), breaks: [opusAsked(await opusOf(1.5, 24_000, 2))] },
  {
    rule: 'audio-sample-size',
    keeps: good(),
    breaks: [wavAsked(wavOf(pcmOf(1.5, 44_100), 44_100, { bits: 8 }))],
  },
  { rule: 'pcm-byte-order', keeps: good(), breaks: [pcmAsked(swapped(pcmOf(1.5, 44_100)))] },
  {
    rule: 'mp3-bitrate',
    keeps: [mp3Asked(mp3), mp3Asked(await mp3Of(1.5, 44_100, 64), { mp3_bitrate: 64 })],
    breaks: [mp3Asked(mp3, { mp3_bitrate: 192 })],
  },
  {
    rule: 'opus-bitrate',
    keeps: [opusAsked(opus, { opus_bitrate: 24_000 }), opusAsked(opus, { opus_bitrate: 64_000 })],
    breaks: [opusAsked(await opusOf(1.5, 64_000), { opus_bitrate: 24_000 })],
  },
  { rule: 'audio-not-empty', keeps: good(), breaks: [pcmAsked(new Uint8Array())] },
  {
    rule: 'audio-not-empty',
    about: 'a header alone',
    keeps: good(),
    breaks: [wavAsked(wavOf(new Uint8Array(), 44_100))],
  },
  { rule: 'audio-not-silent', keeps: good(), breaks: [wavAsked(wavOf(pcmOf(1.5, 44_100, 0), 44_100))] },
  {
    rule: 'audio-not-silent',
    about: 'opus',
    keeps: good(),
    breaks: [opusAsked(await opusOf(1.5, 24_000, 1, 0))],
  },
  {
    rule: 'audio-length-plausible',
    keeps: good(),
    breaks: [wavAsked(wavOf(pcmOf(20, 8000), 8000), { sample_rate: 8000 })],
  },
  {
    rule: 'audio-length-plausible',
    about: 'next to nothing for many words',
    keeps: good(),
    breaks: [wavAsked(wavOf(pcmOf(1, 8000), 8000), { sample_rate: 8000, text: words.repeat(40) })],
  },
  {
    rule: 'wav-header-sizes',
    keeps: [wavAsked(wav), wavAsked(wavOf(pcmOf(1.5, 44_100), 44_100, { sizes: 0xffff_ffff }))],
    breaks: [wavAsked(Buffer.concat([wav.subarray(0, 4), Buffer.from([9, 0, 0, 0]), wav.subarray(8)]))],
  },
];
