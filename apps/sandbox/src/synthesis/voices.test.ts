import { encode } from '@msgpack/msgpack';
import { expect, it } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const sample = (byte: number) => ({ audio: Buffer.alloc(40, byte).toString('base64'), text: 'a sample' });

async function speakersOf(body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const speech = createFakeSpeech();
  const response = await speak(await start({ speech }), { text: 'a', ...body });
  expect(response.status).toBe(200);
  return speech.jobs[0]?.speakers.map((speaker) => speaker.id) ?? [];
}

it('speaks with the saved voice that is named', async () => {
  expect(await speakersOf({ reference_id: 'sandbox-mei' })).toEqual(['sandbox-mei']);
});

it('chooses a voice when none is named', async () => {
  expect(await speakersOf({})).toHaveLength(1);
});

it('speaks a dialogue with its voices in their order', async () => {
  expect(await speakersOf({ reference_id: ['sandbox-cleo', 'sandbox-alba'] })).toEqual([
    'sandbox-cleo',
    'sandbox-alba',
  ]);
});

it('section 2.1: never looks up the names of a zero-shot dialogue', async () => {
  const speakers = await speakersOf({
    reference_id: ['anybody', 'anybody else'],
    references: [[sample(1)], [sample(2), sample(3)]],
  });
  expect(new Set(speakers).size).toBe(2);
});

it('gives the same samples the same voice, other samples another', async () => {
  const [first] = await speakersOf({ references: [sample(1)] });
  expect(await speakersOf({ references: [sample(1)] })).toEqual([first]);
  expect(await speakersOf({ references: [sample(2)] })).not.toEqual([first]);
});

it('takes samples as MessagePack and as base64 in JSON alike', async () => {
  const speech = createFakeSpeech();
  const sandbox = await start({ speech });
  const response = await fetch(`${sandbox.url}/v1/tts`, {
    method: 'POST',
    headers: { ...speechHeaders, 'content-type': 'application/msgpack' },
    body: encode({ text: 'a', references: [{ audio: new Uint8Array(40).fill(1), text: 'a sample' }] }),
  });
  expect(response.status).toBe(200);
  expect(speech.jobs[0]?.speakers.map((speaker) => speaker.id)).toEqual(
    await speakersOf({ references: [sample(1)] }),
  );
});

it.each(['no-such-voice', 'sandbox-foreign'])(
  'refuses the voice %s, which is not there for this key',
  async (id) => {
    const response = await speak(await start(), { text: 'a', reference_id: id });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ status: 400, message: expect.stringContaining(`"${id}"`) });
  },
);

it('refuses a dialogue of which one voice is unknown', async () => {
  const response = await speak(await start(), { text: 'a', reference_id: ['sandbox-alba', 'no-such-voice'] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('no-such-voice') });
});
