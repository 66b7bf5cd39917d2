import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../answer.ts';
import { createLiveReceiver } from './messages.ts';

const strict = createLiveReceiver();
const lenient = createLiveReceiver({ lenient: true });

function refusalOf(message: unknown, receiver = strict, model = 's2-pro'): Refusal {
  try {
    receiver.receive(encode(message), model);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('the message was received');
}

const start = (request: object) => ({ event: 'start', request: { text: '', ...request } });

describe('the messages of a live session', () => {
  test.each([
    start({ format: 'opus', latency: 'balanced', reference_id: 'sandbox-alba' }),
    start({ references: [{ audio: Uint8Array.of(1, 2, 3), text: 'a' }] }),
    { event: 'text', text: '' },
    { event: 'text', text: 'The tide comes in ' },
    { event: 'flush' },
    { event: 'stop' },
  ])('are received as they are: %j', (message) => {
    expect(strict.receive(encode(message), 's2-pro')).toEqual(message);
  });

  test.each([
    [{ event: 'text' }, '`text` is required'],
    [{ event: 'text', text: 5 }, '`text` must be a string'],
    [{ event: 'text', text: Uint8Array.of(1) }, '`text` must not be binary'],
    [{ event: 'text', text: 'a', txet: 'b' }, 'did you mean `text`?'],
    [{ event: 'stop', now: true }, 'unknown field `now`'],
    [{ event: 'start' }, '`request` is required'],
    [{ event: 'start', request: [] }, '`request` must be an object'],
    [{ event: 'start', request: {} }, '`text` is required'],
    [start({ temprature: 1 }), 'did you mean `temperature`?'],
    [start({ format: 'mp4' }), 'did you mean mp3?'],
    [start({ references: [{ audio: 'AAAA', text: 'a' }] }), '`references[0].audio` must be binary'],
    [start({ format: 'mp3', sample_rate: 8000 }), 'sample_rate'],
    [{ event: 'txt', text: 'a' }, 'unknown event `txt`, did you mean `text`?'],
    [{ event: 'x'.repeat(5000) }, 'send start, text, flush or stop.'],
    [{ text: 'a' }, 'the field `event`'],
    [{ event: 7 }, 'a string'],
    [['start'], 'must be a map'],
    ['start', 'must be a map'],
    [null, 'must be a map'],
    [Uint8Array.of(1), 'must be a map'],
  ])('are refused in words: %j', (message, words) => {
    expect(refusalOf(message).message).toContain(words);
  });

  test('are checked by the rules of the model that was named at the upgrade', () => {
    const dialogue = start({ text: '', reference_id: ['a', 'b'] });
    expect(refusalOf(dialogue, strict, 's1').entry.id).toBe('rule');
    expect(refusalOf(dialogue, strict, 's2.1-pro').entry.id).toBe('rule');
    expect(lenient.receive(encode(dialogue), 's2.1-pro')).toEqual(dialogue);
  });

  test.each([
    Uint8Array.of(),
    encode({ event: 'text', text: 'abc' }).subarray(0, 9),
    Uint8Array.of(0xc1),
    Buffer.from('{"event":"stop"}'),
  ])('are refused when they are not MessagePack: %j', (bytes) => {
    expect(() => strict.receive(bytes, 's2-pro')).toThrow('cannot be read as MessagePack');
  });

  test('are received or refused, whatever the bytes are', () => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.record({ event: fc.constantFrom('start', 'text'), request: fc.jsonValue(), text: fc.jsonValue() }),
    );
    const frames = fc.oneof(
      fc.uint8Array(),
      values.map((value) => encode(value)),
    );
    fc.assert(
      fc.property(frames, fc.nat({ max: 3 }), (frame, cut) => {
        try {
          strict.receive(frame.subarray(0, frame.length - cut), 's2-pro');
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
    );
  });

  test('of a published voice-agent plugin are normalised by a lenient server', () => {
    const message = {
      event: 'start',
      debug: true,
      request: {
        text: '',
        references: [],
        reference_id: null,
        prosody: null,
        features: ['quality-guard'],
        chunk_length: 200,
        opus_bitrate: 32,
        format: 'mp3',
      },
    };
    expect(lenient.receive(encode(message), undefined)).toEqual(
      start({ prosody: null, chunk_length: 200, opus_bitrate: 32_000, format: 'mp3' }),
    );
  });
});
