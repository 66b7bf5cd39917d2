import type { Choices } from './choices.ts';
import { spoilBytes } from './values.ts';

/** A file that is some audio, was some audio, or never was. */
export function oddFile(choices: Choices): Buffer {
  const good = choices.of([wav(choices), mp3(choices), heads(choices)]);
  return choices.chance(0.4) ? good : spoilBytes(good, choices);
}

function wav(choices: Choices): Buffer {
  const samples = choices.bytes(2 * choices.of([0, 100, 8000, 24_000]));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(choices.of([36 + samples.length, 0, 0xffffffff]), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(choices.of([16, 16, 16, 0, 0xffffffff]), 16);
  header.writeUInt16LE(choices.of([1, 1, 3, 0xfffe]), 20);
  header.writeUInt16LE(choices.of([1, 1, 2, 0, 65_535]), 22);
  header.writeUInt32LE(choices.of([8000, 44_100, 0, 1, 0xffffffff]), 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(choices.of([2, 0]), 32);
  header.writeUInt16LE(choices.of([16, 16, 8, 24, 0]), 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(choices.of([samples.length, 0, 0xffffffff]), 40);
  return Buffer.concat([header, samples]);
}

/** Frames of MPEG-1 layer III with noise in them. */
function mp3(choices: Choices): Buffer {
  return Buffer.concat(
    Array.from({ length: choices.below(20) }, () =>
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc0]), choices.bytes(413)]),
    ),
  );
}

/** The first bytes of a format, and then anything. */
function heads(choices: Choices): Buffer {
  const marks = [
    'OggS\u0000\u0002',
    'fLaC\u0000\u0000\u0000\u0022',
    'ID3\u0004',
    '\u0000\u0000\u0000\u0018ftypM4A ',
    'RIFF',
    'ÿñP',
  ];
  return Buffer.concat([
    Buffer.from(choices.of(marks), 'latin1'),
    choices.bytes(choices.of([0, 10, 500, 20_000])),
  ]);
}
