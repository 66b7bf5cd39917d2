import fc, { type Arbitrary } from 'fast-check';

const oddStrings = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '../../../etc/passwd',
  '__proto__',
  '<|speaker:0|>',
  '<|speaker:99999999999999999999|>',
  '[laugh](sigh)',
  '你好，世界。',
  '👩‍👩‍👧‍👦'.repeat(20),
  'a'.repeat(5000),
  '1'.repeat(400),
  '%s%n%00',
];
const oddNumbers = [-0, -1, 1e-320, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 8000, 48_000, -1000, 300];

const nested = fc.nat(200).map((depth) => {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});

/** A value that nobody would send. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...oddStrings, ...oddNumbers, null, true) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) },
  nested,
);

/** The one now and then, the other most of the time. */
export function seldom<Odd, Usual>(odd: Arbitrary<Odd>, usual: Arbitrary<Usual>): Arbitrary<Odd | Usual> {
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 9, arbitrary: usual });
}

export const anyBytes = (maxLength: number): Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength, size: 'max' }).map((bytes) => Buffer.from(bytes));

const leftOut = Symbol('left out');

/** A good value with something wrong in it: fields changed, left out, or added. */
export function spoilt(
  good: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Arbitrary<Readonly<Record<string, unknown>>> {
  const name = seldom(fc.constantFrom(...oddStrings), fc.constantFrom(...fields));
  const change = fc.tuple(name, fc.option(oddValue, { nil: leftOut, freq: 5 }));
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const value: Record<string, unknown> = { ...good };
    for (const [field, given] of changes) {
      if (given === leftOut) delete value[field];
      // Not by an assignment: one of the names is that of the prototype.
      else Object.defineProperty(value, field, { value: given, enumerable: true, configurable: true });
    }
    return value;
  });
}

/** Bytes with some of them flipped, cut out, replaced or added, or as they were. */
export function spoiltBytes(good: Arbitrary<Buffer>): Arbitrary<Buffer> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const change = fc.tuple(share, fc.nat(3), anyBytes(16));
  return fc.tuple(good, fc.array(change, { maxLength: 3 })).map(([bytes, changes]) =>
    changes.reduce((changed, [place, kind, more]) => {
      const at = Math.floor(place * changed.length);
      const [before, after] = [changed.subarray(0, at), changed.subarray(at)];
      if (kind === 0) return before;
      if (kind === 1) return Buffer.concat([before, after.subarray(more.length)]);
      if (kind === 2) return Buffer.concat([before, more, after]);
      return Buffer.concat([before, more, after.subarray(more.length)]);
    }, bytes),
  );
}

const wav = fc
  .record({
    samples: fc.constantFrom(0, 100, 8000, 24_000).chain((count) => anyBytes(2 * count)),
    riffBytes: fc.constantFrom(36, 0, 0xffffffff),
    formatBytes: fc.constantFrom(16, 16, 16, 0, 0xffffffff),
    tag: fc.constantFrom(1, 1, 3, 0xfffe),
    channels: fc.constantFrom(1, 1, 2, 0, 65_535),
    rate: fc.constantFrom(8000, 44_100, 0, 1, 0xffffffff),
    bits: fc.constantFrom(16, 16, 8, 24, 0),
    dataBytes: fc.constantFrom(undefined, undefined, 0, 0xffffffff),
  })
  .map(({ samples, riffBytes, formatBytes, tag, channels, rate, bits, dataBytes }) => {
    const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
    head.writeUInt32LE(riffBytes, 4);
    head.writeUInt32LE(formatBytes, 16);
    head.writeUInt16LE(tag, 20);
    head.writeUInt16LE(channels, 22);
    head.writeUInt32LE(rate, 24);
    head.writeUInt32LE(16_000, 28);
    head.writeUInt16LE(2, 32);
    head.writeUInt16LE(bits, 34);
    head.writeUInt32LE(dataBytes ?? samples.length, 40);
    return Buffer.concat([head, samples]);
  });

/** Frames of MPEG-1 layer III with noise in them. */
const mp3 = fc
  .array(anyBytes(413), { maxLength: 20 })
  .map((frames) => Buffer.concat(frames.flatMap((noise) => [Buffer.from([0xff, 0xfb, 0x90, 0xc0]), noise])));

const marks = [
  'OggS\u0000\u0002',
  'fLaC\u0000\u0000\u0000\u0022',
  'ID3\u0004',
  '\u0000\u0000\u0000\u0018ftypM4A ',
  'RIFF',
  'ÿñP',
];
/** The first bytes of a format, and then anything. */
const heads = fc
  .tuple(fc.constantFrom(...marks), anyBytes(5000))
  .map(([mark, rest]) => Buffer.concat([Buffer.from(mark, 'latin1'), rest]));

/** A file that is some audio, was some audio, or never was. */
export const oddFile: Arbitrary<Buffer> = spoiltBytes(fc.oneof(wav, mp3, heads));
