// Compiled by the type check, never run: what a caller may write, and what the compiler refuses.
import type {
  AudioFormat,
  DialogueRequest,
  SingleSpeakerRequest,
  SynthesisModel,
  SynthesisRequest,
  ZeroShotDialogueRequest,
} from '@speech-api/types';
import type { SpeechClient } from '../client.ts';
import type { SpeechOptions } from '../options.ts';
import {
  isDialogue,
  type OfferedRequest,
  type OneVoiceRequest,
  type SampledDialogueRequest,
  type DialogueRequest as SavedDialogueRequest,
  type SpeechRequest,
} from '../request-check.ts';

declare const client: SpeechClient;
declare const wide: SynthesisRequest;
const sample = { audio: new Uint8Array(), text: 'A sample.' };

// One voice: a saved one, samples, or the default.
const saved: SingleSpeakerRequest = { text: 'Hello.', reference_id: 'voice' };
const cloned: SingleSpeakerRequest = { text: 'Hello.', references: [sample] };
void client.speech.create({ text: 'Hello.' });
void client.speech.create(saved);
void client.speech.create(cloned);
void client.speech.streamWithTimestamps({ text: 'Hello.', reference_id: 'voice', references: [sample] });

// A dialogue of saved voices.
const dialogue: DialogueRequest = { text: '<|speaker:0|>Hi.<|speaker:1|>Hello.', reference_id: ['a', 'b'] };
void client.speech.create(dialogue, { model: 's2-pro' });

// A dialogue of samples.
const zeroShot: ZeroShotDialogueRequest = { ...dialogue, references: [[sample], [sample, sample]] };
void client.speech.streamWithTimestamps(zeroShot);

// Wide types compile: some request, any binary, any model, and null where null has a meaning.
void client.speech.create(wide, { model: 'a-model-of-tomorrow' });
for (const audio of [new ArrayBuffer(1), new Blob([]), new File([], 'a.wav'), new Uint8Array()]) {
  void client.speech.create({ text: 'Hello.', references: [{ audio, text: 'A sample.' }] });
}
void client.speech.create({ text: 'Hello.', prosody: null, sample_rate: null, opus_bitrate: -1000 });

// @ts-expect-error several speakers' samples for one voice
void client.speech.create({ text: 'Hello.', reference_id: 'voice', references: [[sample], [sample]] });
// @ts-expect-error a sample without its transcript
void client.speech.create({ text: 'Hello.', references: [{ audio: new Uint8Array() }] });

// Rules between fields, if all of them are in one call.

// @ts-expect-error pcm has no 48000 Hz
void client.speech.streamWithTimestamps({ text: 'Hello.', format: 'pcm', sample_rate: 48000 });
// @ts-expect-error mp3, the default, has no 16000 Hz
void client.speech.create({ text: 'Hello.', sample_rate: 16000 });
// @ts-expect-error s1 speaks with one voice, a dialogue that is a value of its own too
void client.speech.streamWithTimestamps(dialogue, { model: 's1' });
// @ts-expect-error a sample list for each speaker without their names
void client.speech.create({ text: 'Hello.', references: [[sample], [sample]] });
// @ts-expect-error a list with and without inner lists
void client.speech.create({ text: 'Hello.', reference_id: ['a', 'b'], references: [[sample], sample] });
// @ts-expect-error a misspelt field of prosody
void client.speech.create({ text: 'Hello.', prosody: { sped: 2 } });

// Each rate of each format, and null, which is the default of the format.
void client.speech.create({ text: 'Hello.', format: 'wav', sample_rate: 8000 });
void client.speech.create({ text: 'Hello.', format: 'opus', sample_rate: 48000 });
void client.speech.create({ text: 'Hello.', sample_rate: 32000 });
void client.speech.create({ text: 'Hello.', format: 'opus', sample_rate: null });
void client.speech.create({ text: 'Hello.', prosody: { speed: 1.5, volume: 0 } }, { model: 's1' });
void client.speech.create(dialogue, { model: 's2-pro', timeouts: { headers: 5000 } });
void client.speech.create(dialogue, { model: 'a-model-of-tomorrow' });

// Of the rates, an editor offers those of the format, and of no format those of mp3, which is the default.
type Offered<Given> = NonNullable<Extract<OfferedRequest, Given>['sample_rate']>;
const ofWav: Offered<{ format: 'wav' }>[] = [8000, 16000, 24000, 32000, 44100];
const ofOpus: 48000 = {} as Offered<{ format: 'opus' }>;
const ofDefault: 32000 | 44100 = {} as Offered<{ format?: 'mp3' }>;
void [ofWav, ofOpus, ofDefault];

// Of a wide type nothing is known, so nothing is refused.
declare const someModel: SynthesisModel;
declare const someFormat: AudioFormat;
declare const someRate: SpeechRequest['sample_rate'] & number;
declare const someOptions: SpeechOptions;
void client.speech.create(wide);
void client.speech.create(wide, { model: 's1' });
void client.speech.create(wide, someOptions);
void client.speech.create(wide, { model: someModel });
void client.speech.streamWithTimestamps(wide, { ...someOptions, model: 's1' });
void client.speech.create(dialogue, { model: someModel });
void client.speech.create({ text: 'Hello.', format: someFormat, sample_rate: someRate });
void client.speech.create({ ...wide, text: 'Hello.' });
void client.speech.create(saved, { model: 's1' });

// @ts-expect-error a controller in place of { signal: controller.signal }
void client.speech.create({ text: 'Hello.' }, new AbortController());
void client.speech.create({ text: 'Hello.' }, { signal: new AbortController().signal });

/** A wrapper in user code, which knows only that it is a request. */
export function speak(request: SpeechRequest, options?: SpeechOptions) {
  return Promise.all([
    client.speech.create(request, options),
    client.speech.create(request, options ?? {}),
    client.speech.streamWithTimestamps({ ...request, format: 'opus', sample_rate: null }, options),
  ]);
}

/** The same, generic. */
export function speakGeneric<Request extends SpeechRequest>(request: Request) {
  return client.speech.create<SpeechRequest>(request);
}

/** `isDialogue` narrows both branches, of a request and of the generated type. */
export function narrow(request: SpeechRequest, generated: SynthesisRequest) {
  const ids: string[] | undefined = isDialogue(generated) ? generated.reference_id : undefined;
  if (!isDialogue(request)) return [ids, request satisfies OneVoiceRequest];
  return request.references === undefined
    ? (request satisfies SavedDialogueRequest)
    : (request satisfies SampledDialogueRequest);
}
