import { expect, test } from 'vitest';
import { compile } from '../../../test/testing/compile.ts';
import { writeLive } from '../live/write-live.ts';
import { writeSpeaking } from '../sound/speaking.ts';
import { readScript, sampleScript, toDialogueText } from '../speak/script.ts';
import { writeTranscribing } from '../transcribe/write-transcribing.ts';

const connection = { baseUrl: 'http://127.0.0.1:4010', apiKey: 'sandbox-key' };
const own = { ...connection, apiKey: 'somebody’s own' };
const sound = { format: 'opus', latency: 'low', prosody: { speed: 1.5 } } as const;
const text = `It's "here" \\ and\nthere.`;
const request = { text, reference_id: 'sandbox-alba', ...sound };

/** Every kind of program that the pages write. */
const programs: Record<string, string> = {
  speak: writeSpeaking({ connection, request, model: 's2-pro', format: 'opus' }),
  'speak-own-key': writeSpeaking({ connection: own, request, model: 's2.1-pro', format: 'opus' }),
  dialogue: writeSpeaking({
    connection,
    request: {
      text: toDialogueText(readScript(sampleScript)),
      reference_id: ['sandbox-alba', 'sandbox-blake'],
    },
    model: 's2-pro',
    format: 'opus',
  }),
  live: writeLive('ws://127.0.0.1:4030', { format: 'pcm', latency: 'low' }),
  'live-defaults': writeLive('wss://app.example', {}),
  'transcribe-file': writeTranscribing(connection, 'file', { language: 'en', ignore_timestamps: false }),
  'transcribe-microphone': writeTranscribing(connection, 'microphone', { ignore_timestamps: true }),
  'transcribe-service': writeTranscribing(connection, 'service', { ignore_timestamps: false }),
  'transcribe-long': writeTranscribing(
    connection,
    'file',
    { language: 'en', ignore_timestamps: false },
    true,
  ),
};

test('every program that the pages show is one the compiler takes', () => {
  // The reader's key is the one thing that is left for the reader to fill in.
  const complete = Object.entries(programs).map(
    ([name, code]) => [name, `declare const yourKey: string;\nvoid yourKey;\n${code}`] as const,
  );
  expect(compile(new Map(complete))).toEqual([]);
}, 60_000);
