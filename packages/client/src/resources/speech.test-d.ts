// The type check compiles this file, which never runs: it shows what callers may write and what the compiler refuses.
import type { AudioFormat, SynthesisModel, SynthesisRequest } from '@speech-api/types';
import type { SpeechClient, SpeechOptions, SpeechRequest } from '../index.ts';

declare const client: SpeechClient;
declare const wide: SynthesisRequest;
const sample = { audio: new Uint8Array(), text: 'A sample.' };

// One voice: a saved one, samples, or the default.
void client.speech.create({ text: 'Hello.' });
void client.speech.create({ text: 'Hello.', reference_id: 'voice' });
void client.speech.create({ text: 'Hello.', references: [sample] });
void client.speech.streamWithTimestamps({ text: 'Hello.', reference_id: 'voice', references: [sample] });

// A dialogue of saved voices, and of samples; readonly lists, too.
const dialogue = { text: '<|speaker:0|>Hi.<|speaker:1|>Hello.', reference_id: ['a', 'b'] } as const;
void client.speech.create(dialogue, { model: 's2-pro' });
void client.speech.streamWithTimestamps({ ...dialogue, references: [[sample], [sample, sample]] });

// Wide types compile: some request, any binary, any model, and null where null has a meaning.
declare const someModel: SynthesisModel;
declare const someFormat: AudioFormat;
void client.speech.create(wide, { model: 'a-model-of-tomorrow' });
void client.speech.create({ text: 'Hello.', format: someFormat }, { model: someModel });
for (const audio of [new ArrayBuffer(1), new Blob([]), new File([], 'a.wav'), new Uint8Array()]) {
  void client.speech.create({ text: 'Hello.', references: [{ audio, text: 'A sample.' }] });
}
void client.speech.create({ text: 'Hello.', prosody: null, sample_rate: null, opus_bitrate: -1000 });

// @ts-expect-error a sample without its transcript
void client.speech.create({ text: 'Hello.', references: [{ audio: new Uint8Array() }] });
// @ts-expect-error a path in place of bytes
void client.speech.create({ text: 'Hello.', references: [{ audio: 'a.wav', text: 'A sample.' }] });
// @ts-expect-error a path in place of a recording
void client.transcriptions.create({ audio: 'interview.mp3' });

/** Wrappers in user code, which only know that it is a request or a part of one. */
export function speak(request: SpeechRequest, options?: SpeechOptions) {
  return Promise.all([
    client.speech.create(request, options),
    client.speech.streamWithTimestamps({ ...request, format: 'opus', sample_rate: null }, options),
  ]);
}
export function speakAsWav(request: Omit<SpeechRequest, 'format'>) {
  return client.speech.create({ ...request, format: 'wav' });
}
