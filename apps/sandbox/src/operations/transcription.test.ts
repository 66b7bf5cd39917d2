import { limits, type SynthesisRequest } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../start-sandbox.ts';
import { creditOf, speak, type Transcribed, transcribe } from '../testing/sandboxes.ts';
import { sharedSpeech } from '../testing/shared-speech.ts';
import { writeWav } from '../uploads/testing/make-files.ts';
import { encode, noise, tone, voiceLike } from '../uploads/testing/sounds.ts';
import { unrecognisedSpeech } from './transcription.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ speech: sharedSpeech });
}, 60_000);
afterAll(() => sandbox.close());

const text = 'The harbour wakes before the sun. Boats go out, one by one, and nobody is late.';

interface Spoken {
  readonly audio: Uint8Array;
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

/** Speaks with timestamps, so that the true times are known. */
async function say(request: Partial<SynthesisRequest>): Promise<Spoken> {
  const response = await speak(sandbox, { text, ...request }, undefined, '/v1/tts/stream/with-timestamp');
  expect(response.status).toBe(200);
  const events = (await response.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice(6)));
  const last = new Map(events.map((event) => [event.chunk_seq, event]));
  return {
    audio: Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, 'base64'))),
    words: [...last.values()].flatMap(({ alignment, chunk_audio_offset_sec: offset }) =>
      alignment.segments.map((word: Spoken['words'][number]) => ({
        text: word.text,
        start: word.start + offset,
        end: word.end + offset,
      })),
    ),
  };
}

/** Same words in the same order, every time within 50 ms. */
function expectWords({ body, source }: Transcribed, words: Spoken['words']): void {
  expect(body.segments.map((segment) => segment.text)).toEqual(words.map((word) => word.text));
  expect(source).toBe('echo');
  body.segments.forEach((segment, index) => {
    expect(Math.abs(segment.start - (words[index]?.start ?? 0))).toBeLessThan(0.05);
    expect(Math.abs(segment.end - (words[index]?.end ?? 0))).toBeLessThan(0.05);
  });
}

const samplesOfWav = (wav: Uint8Array): Int16Array => new Int16Array(new Uint8Array(wav.subarray(44)).buffer);

describe('what the sandbox has said', () => {
  test.each([
    { format: 'wav' },
    { format: 'mp3', mp3_bitrate: 64 },
    { format: 'opus', opus_bitrate: 24000 },
    { format: 'wav', sample_rate: 8000 },
  ] as const)('comes back with its words and their times: %o', async (settings) => {
    const { audio, words } = await say(settings);
    const answer = await transcribe(sandbox, audio);
    expectWords(answer, words);
    expect(answer.body.text).toBe(text);
    expect(answer.body.language_code).toBe('en');
  });

  test('comes back from raw samples that were put into another file, quieter', async () => {
    const { audio, words } = await say({ format: 'pcm', sample_rate: 24000 });
    const samples = new Int16Array(new Uint8Array(audio).buffer).map((sample) => sample / 4);
    expectWords(await transcribe(sandbox, writeWav(samples, { sampleRate: 24000, channels: 2 })), words);
    expectWords(
      await transcribe(sandbox, writeWav(samples, { sampleRate: 24000, bitsPerSample: 24 })),
      words,
    );
  });

  test('comes back when the first 1.2 seconds are cut off', async () => {
    const { audio, words } = await say({ format: 'wav', sample_rate: 16000 });
    const cut = samplesOfWav(audio).subarray(1.2 * 16000);
    const answer = await transcribe(sandbox, writeWav(cut, { sampleRate: 16000 }));
    const later = words.map((word) => ({ ...word, start: word.start - 1.2, end: word.end - 1.2 }));
    expectWords(
      answer,
      later.filter(({ start }) => start > -0.02),
    );
  });

  test('comes back in the order of a recording that was put together from two, the second one first', async () => {
    const sentence = 'Nothing in this market is as old as the clock above the door.';
    const first = await say({ format: 'wav', sample_rate: 16000 });
    const second = await say({
      format: 'wav',
      sample_rate: 16000,
      text: sentence,
      reference_id: 'sandbox-blake',
    });
    const [before, after] = [samplesOfWav(second.audio), samplesOfWav(first.audio)];
    const joined = new Int16Array(before.length + after.length);
    joined.set(before);
    joined.set(after, before.length);
    const answer = await transcribe(sandbox, writeWav(joined, { sampleRate: 16000 }));
    const shift = before.length / 16000;
    const later = first.words.map((word) => ({ ...word, start: word.start + shift, end: word.end + shift }));
    expectWords(answer, [...second.words, ...later]);
    expect(answer.body.text).toBe(`${sentence} ${text}`);
  });

  test('comes back with its turns where it was a dialogue and the model tells speakers apart', async () => {
    const turns = ['Where is the harbour?', 'Behind the old mill, near the bridge.', 'Thank you very much.'];
    const dialogue = turns.map((turn, index) => `<|speaker:${index % 2}|>${turn}`);
    const voices = ['sandbox-alba', 'sandbox-blake'];
    const { audio, words } = await say({ format: 'mp3', text: dialogue.join(''), reference_id: voices });
    for (const model of ['transcribe-1', 'unknown', undefined]) {
      const plain = await transcribe(sandbox, audio, model);
      expectWords(plain, words);
      expect(plain.body.text).not.toContain('speaker');
      expect(plain.body).not.toHaveProperty('speaker_turns');
    }
    const answer = await transcribe(sandbox, audio, 'transcribe-1-pro');
    expectWords(answer, words);
    expect(answer.body).toMatchObject({
      text: dialogue.join(' '),
      language_code: 'en',
      language: 'English',
      request_id: answer.requestId,
      speaker_turns: turns.map((turn, index) => ({ speaker: `speaker:${index % 2}`, text: turn })),
    });
    expect(answer.body.speaker_turns?.[1]?.start).toBeCloseTo(words[4]?.start ?? 0, 1);
    const alone = await transcribe(sandbox, (await say({ format: 'wav' })).audio, 'transcribe-1-pro');
    expect(alone.body).toMatchObject({ text, request_id: alone.requestId });
    expect(alone.body).not.toHaveProperty('speaker_turns');
  });

  test('leaves a place for a voice between the known words that is not known', async () => {
    const { audio, words } = await say({ format: 'wav', sample_rate: 16000 });
    const samples = samplesOfWav(audio);
    const voice = voiceLike(2, 130, 4, 16000);
    const joined = new Int16Array(samples.length + voice.length);
    joined.set(samples);
    joined.set(voice, samples.length);
    const { body, source } = await transcribe(sandbox, writeWav(joined, { sampleRate: 16000 }));
    expect(source).toBe('echo, placeholder');
    expect(body.text).toBe(`${text} ${unrecognisedSpeech}`);
    const last = body.segments.at(-1);
    expect(body.segments).toHaveLength(words.length + 1);
    expect(last?.text).toBe(unrecognisedSpeech);
    expect(last?.start).toBeGreaterThan(samples.length / 16000 - 0.4);
  });
});

describe('what a transcription costs', () => {
  const credit = async (): Promise<number> => Number(await creditOf(sandbox));

  test('is charged by the begun second, when it is answered and not when it is refused', async () => {
    const before = await credit();
    await transcribe(sandbox, await encode(tone(2.5)));
    expect(before - (await credit())).toBeCloseTo(3 * 0.0001, 8);
    await transcribe(sandbox, await encode(tone(0.5)));
    expect(before - (await credit())).toBeCloseTo(3 * 0.0001, 8);
  });
});

describe('what the sandbox has not said', () => {
  test('is a voice without words', async () => {
    const { status, body, source } = await transcribe(sandbox, await encode(voiceLike(3, 120)));
    expect({ status, source }).toEqual({ status: 200, source: 'placeholder' });
    expect(body.text).toBe(unrecognisedSpeech);
    expect(new Set(body.segments.map((segment) => segment.text))).toEqual(new Set([unrecognisedSpeech]));
    expect(body.duration).toBe(3);
  });

  test('is nothing where there is silence, noise or a tone', async () => {
    for (const samples of [new Int16Array(2 * 22050), noise(2), tone(2)]) {
      const { body, source } = await transcribe(sandbox, await encode(samples));
      expect(body).toEqual({ text: '', duration: 2, segments: [] });
      expect(source).toBe('placeholder');
    }
  });
});

describe('the limits of a transcription', () => {
  const silence = (seconds: number, sampleRate = 8000): Uint8Array =>
    writeWav(new Int16Array(Math.round(seconds * sampleRate)), { sampleRate, bitsPerSample: 8 });

  test('section 8: a transcription takes one second of audio, and refuses less', async () => {
    expect((await transcribe(sandbox, silence(1))).body.duration).toBe(1);
    const { status, body } = await transcribe(sandbox, silence(0.999));
    expect(status).toBe(400);
    expect(body.message).toContain('`audio` has 0.999 seconds');
  });

  // It waits for two hours of sound to be read.
  test('section 8: a transcription takes sixty minutes of audio, and refuses more', async () => {
    const rate = 1000;
    expect((await transcribe(sandbox, silence(3600, rate))).body.duration).toBe(3600);
    const { status, body } = await transcribe(sandbox, silence(3600.01, rate));
    expect(status).toBe(400);
    expect(body.message).toContain('longer than 60 minutes');
  }, 240_000);

  // It waits for two files of 20 MB to be read.
  test('section 8: a transcription takes a file of 20 MB, and refuses what is larger in either unit', async () => {
    const most = limits.transcriptionFileBytesRefusedAbove;
    const file = (bytes: number): Uint8Array =>
      writeWav(new Int16Array((bytes - 44) / 2), { sampleRate: 48_000 });
    expect((await transcribe(sandbox, file(20_000_000))).status).toBe(200);
    expect((await transcribe(sandbox, file(most))).status).toBe(200);
    const { status, body } = await transcribe(sandbox, file(most + 2));
    expect(status).toBe(413);
    expect(body.message).toContain('`audio`');
  }, 240_000);
});
