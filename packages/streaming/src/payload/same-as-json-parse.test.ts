import type { SpeechStreamEvent } from '@speech-api/types';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SpeechStreamError } from '../errors.ts';
import { readSpeechEvents } from '../index.ts';
import { all, base64Of, bodyOf, bytesOf, cut } from '../testing/streams.ts';
import { decodeBase64 } from './base64.ts';
import { PayloadOpener, parseWireEvent } from './open-payload.ts';

const space = fc.constantFrom('', '', '', ' ', '\t', ' \n ');
const number = fc.oneof(
  fc.constantFrom('0', '-0', '1.50', '1e2', '2E+1', '12.5e-1', '0.1', '1e-400', '123456789.123456789'),
  fc.double({ min: 0, max: 500, noNaN: true }).map(String),
);
const text = fc.oneof(
  fc.constantFrom(
    '"one"',
    '"[laugh]"',
    '"]},{"',
    '"\\"]}"',
    '"\\u4f60\\ud83d\\udc4b"',
    '"segments"',
    '"你"',
    '"a\\\\"',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((value) => JSON.stringify(value)),
);
const anything = fc.oneof(
  number,
  text,
  fc.constantFrom('null', '[1,[2]]', '{"segments":[]}', '{"a":"]"}', 'true'),
);

/** An object as text: its members in any order, with space anywhere. */
function objectOf(members: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(
      members.chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
      space,
    )
    .map(([all, gap]) => `{${gap}${all.join(`${gap},${gap}`)}${gap}}`);
}

function member(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  // Now and then the name is spelled with an escape, or comes twice: the last one counts.
  const key = fc.oneof(
    { weight: 12, arbitrary: fc.constant(`"${name}"`) },
    { weight: 1, arbitrary: fc.constant(`"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`) },
  );
  const one = fc.tuple(key, space, value).map(([spelled, gap, given]) => `${spelled}${gap}:${gap}${given}`);
  const doubled = fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom('null', '0', '"AQ=="', '[]') },
  );
  return fc
    .tuple(one, doubled)
    .map(([first, second]) => (second === undefined ? [first] : [`"${name}":${second}`, first]));
}

function objectWith(...members: fc.Arbitrary<string[]>[]): fc.Arbitrary<string> {
  const extra = fc.oneof(fc.constant([]), fc.constant([]), member('extra', anything));
  return objectOf(fc.tuple(extra, ...members).map((all) => all.flat()));
}

const segment = objectWith(member('text', text), member('start', number), member('end', number));
const audio = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => `"${base64Of(bytes)}"`) },
  { weight: 1, arbitrary: fc.constantFrom('"\\u0041Q=="', '"\\/\\/\\/\\/"') },
);

/** Relation of a snapshot to the one before it. */
const step = fc.record({
  kept: fc.oneof(
    fc.constant('all' as const),
    fc.constant('all but the last' as const),
    fc.constantFrom('none' as const, 'half' as const),
  ),
  added: fc.array(segment, { maxLength: 3 }),
  seqStep: fc.constantFrom(0, 0, 0, 0, 1),
  isNull: fc.integer({ min: 0, max: 7 }).map((value) => value === 0),
  gap: space,
});

// Only long snapshots are parsed in parts, so most streams begin with a long one.
const opening = fc
  .constantFrom(0, 30, 30, 30)
  .map((length) =>
    Array.from({ length }, (_, index) => `{"text":"word ${index}","start":${index},"end":${index + 0.5}}`),
  );

const stream = fc.tuple(opening, fc.array(step, { minLength: 1, maxLength: 8 })).chain(([first, steps]) => {
  let seq = 0;
  let segments: string[] = first;
  const events = steps.map(({ kept, added, seqStep, isNull, gap }) => {
    seq += seqStep;
    const length = { all: segments.length, 'all but the last': Math.max(segments.length - 1, 0), none: 0 };
    const count = kept === 'half' ? segments.length >> 1 : length[kept];
    segments = [...(seqStep === 0 ? segments.slice(0, count) : first), ...added];
    const list = `[${gap}${segments.join(`,${gap}`)}]`;
    const alignment = objectWith(member('audio_duration', number), member('segments', fc.constant(list)));
    return objectWith(
      member('audio_base64', audio),
      member('content', text),
      member('alignment', isNull ? fc.constant('null') : alignment),
      member('chunk_seq', fc.constant(String(seq))),
      member('chunk_audio_offset_sec', number),
    );
  });
  return fc.tuple(...events);
});

function bytesOfStream(events: readonly string[]): Uint8Array<ArrayBuffer> {
  const lines = events.map((data) => data.split('\n').map((line) => `data: ${line}\n`));
  return bytesOf(lines.map((event) => `${event.join('')}\n`).join(''));
}

interface Expected {
  readonly wire: SpeechStreamEvent;
  readonly audio: Uint8Array;
}

/** The slow and plain way: each event through `JSON.parse`. */
function parsed(data: string, index: number): Expected {
  const wire = parseWireEvent(data, index);
  try {
    return { wire, audio: decodeBase64(wire.audio_base64) };
  } catch {
    throw new SpeechStreamError('not base64', { kind: 'invalid-base64', eventIndex: index });
  }
}

/** Reads a stream to its end, and compares each event with what is expected: nothing changes one later. */
async function compare(pieces: readonly Uint8Array[], expected: readonly Expected[]): Promise<void> {
  const events = await all(readSpeechEvents(bodyOf(pieces)));
  const chunks = events.flatMap((event) => (event.type === 'audio-chunk' ? [event] : []));
  expect(chunks.map(({ wire, audio }) => ({ wire, audio: [...audio] }))).toEqual(
    expected.map(({ wire, audio }) => ({ wire, audio: [...audio] })),
  );
  const updates = expected.flatMap(({ wire: { chunk_seq, content, chunk_audio_offset_sec, alignment } }) =>
    alignment ? [{ type: 'alignment-update', chunk_seq, content, chunk_audio_offset_sec, alignment }] : [],
  );
  expect(events.filter(({ type }) => type === 'alignment-update')).toEqual(updates);
}

/** True if the stream is valid; either way, reading it gives the same as reading it the plain way. */
async function agree(events: readonly string[], at: number): Promise<boolean> {
  const bytes = bytesOfStream(events);
  const pieces = cut(bytes, at % bytes.length);
  let expected: readonly Expected[];
  try {
    expected = events.map(parsed);
  } catch (error) {
    const { kind, eventIndex } = error as SpeechStreamError;
    await expect(all(readSpeechEvents(bodyOf(pieces)))).rejects.toMatchObject({ kind, eventIndex });
    return false;
  }
  await compare(pieces, expected);
  return true;
}

describe('whatever the stream', () => {
  test('gives what JSON.parse gives, for every event', async () => {
    let good = 0;
    await fc.assert(
      fc.asyncProperty(stream, fc.nat(), async (events, at) => {
        if (await agree(events, at)) good += 1;
      }),
      { numRuns: 500 },
    );
    expect(good).toBeGreaterThan(150);
  });

  test('fails at the invalid event', async () => {
    const change = fc.record({
      event: fc.nat(),
      position: fc.nat(),
      removed: fc.nat(2),
      added: fc.constantFrom(
        ...['', '"', '\\', ']', '[', '}', '{', ',', '0', 'x', '\u0001', ':', '"segments":[', '.5'],
      ),
    });
    let wrong = 0;
    await fc.assert(
      fc.asyncProperty(stream, change, async (events, { event, position, removed, added }) => {
        const index = event % events.length;
        const data = events[index] ?? '';
        const at = position % data.length;
        // Through bytes, because half of a pair of surrogates can not be sent.
        const bytes = bytesOf(data.slice(0, at) + added + data.slice(at + removed));
        const changed = events.with(index, new TextDecoder().decode(bytes));
        if (!(await agree(changed, 0))) wrong += 1;
      }),
      { numRuns: 1000 },
    );
    expect(wrong).toBeGreaterThan(300);
  });
});

describe('a long snapshot that continues the one before', () => {
  const known = Array.from(
    { length: 30 },
    (_, index) => `{"text":"word ${index}","start":${index},"end":${index}.5}`,
  );
  const snapshot = (segments: string, more = '') =>
    `{"audio_base64":"AQ==","content":"c","alignment":{"audio_duration":1,"segments":[${segments}]${more}},"chunk_seq":0,"chunk_audio_offset_sec":0}`;

  test.each([
    ['{"text":null,"start":1,"end":2}', false],
    ['{"text":"a","start":"1","end":2}', false],
    ['{"text":"a","start":1}', false],
    ['{"text":"a","start":1,"end":2', false],
    ['7', false],
    ['[]', false],
    ['', false],
    ['{"text":"a","start":1,"end":2},', false],
    ['{"text":"a","start":1,"end":2,"end":null}', false],
    ['{"text":"a","start":1,"end":2,"more":[{"text":"b"}]}', true],
    ['{"text":"]},{\\"x","start":1,"end":2},{"text":"b","start":2,"end":3}', true],
  ])('ends in %s, as JSON.parse sees it', async (added, isGood) => {
    const events = [snapshot(known.join(',')), snapshot([...known, added].join(','))];
    expect(await agree(events, 0)).toBe(isGood);
  });

  test.each([
    [',"segments":[]', true],
    [',"segments":null', false],
    [',"audio_duration":null', false],
    [',"more":[1,"]"]', true],
  ])('is followed by %s, as JSON.parse sees it', async (more, isGood) => {
    const all = known.join(',');
    expect(await agree([snapshot(all), snapshot(all, more), snapshot(all)], 0)).toBe(isGood);
  });

  const audio = '"audio_base64":"AQ=="';
  const rest = '"chunk_audio_offset_sec":0,"chunk_seq":0,"content":"[laugh] c"';
  test.each([
    ['behind its audio', (alignment: string) => `{${audio},${rest},${alignment}}`],
    ['before its audio, as sorted keys are', (alignment: string) => `{${alignment},${audio},${rest}}`],
  ])('is parsed once when the alignment is %s', (_name, eventOf) => {
    const segments: string[] = [];
    const opener = new PayloadOpener();
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    let received = 0;
    for (const index of Array(200).keys()) {
      segments.push(`{"text":"word ${index}","start":${index},"end":${index}.5}`);
      const data = eventOf(`"alignment":{"audio_duration":1,"segments":[${segments}]}`);
      received += data.length;
      expect(opener.open(data, index).wire.alignment?.segments.at(-1)?.start).toBe(index);
    }
    const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    // Without its predecessors an event is some 250 characters, of 4 000 on average.
    expect(parsed).toBeLessThan(received / 6);
  });
});
