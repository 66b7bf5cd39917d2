import { createHash } from 'node:crypto';
import {
  type LiveService,
  overloadHeaders,
  Refusal,
  strictWords,
  switchingProtocols,
} from '@speech-api/server';
import {
  audioMediaTypes,
  defaultModel,
  defaultSampleRates,
  headerNames,
  mediaTypes,
  prosodyDefaults,
  type ReferenceAudio,
  type SpeechStreamEvent,
  type SynthesisRequest,
  synthesisDefaults,
  synthesisModels,
} from '@speech-api/types';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import type { SpeechJob, SpeechPiece, SpeechSession, VoiceProfile } from '../speech/job.ts';
import { profileForVoice } from '../speech/prosody.ts';
import { inspectClip } from '../uploads/uploads.ts';
import { isReadable, stateOf } from '../voice-models.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `POST /v1/tts`: the audio, sent while it is made. */
export const createSpeech: OperationHandler = async (context) => {
  const { job, pieces } = await speak(context);
  const headers = { 'content-type': audioMediaTypes[job.format] };
  return { status: 200, headers, body: audioOf(pieces) };
};

/** `POST /v1/tts/stream/with-timestamp`: one event a piece of audio, with the latest alignment. */
export const streamSpeechWithTimestamps: OperationHandler = async (context) => {
  const { pieces } = await speak(context);
  const headers = {
    'content-type': mediaTypes.eventStream,
    // Nothing on the way may hold events back or keep them.
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, body: eventsOf(pieces) };
};

/** `GET /v1/tts/live`: the change to a WebSocket, and what is said on it until it is closed. */
export const openLiveSession: OperationHandler = (context) => {
  const live: LiveService = {
    model: context.call.headers[headerNames.model],
    async open(request, signal) {
      const speech = await openSpeech(context, request, { signal, grows: true });
      return { ...speech, pieces: context.isTimed ? speech.pieces : audioOf(speech.pieces) };
    },
  };
  return { status: switchingProtocols, headers: {}, live };
};

async function speak(context: OperationContext): Promise<OpenedSpeech> {
  const { call, signal } = context;
  const speech = await openSpeech(context, call.body as SynthesisRequest, { signal, grows: false });
  speech.end();
  return speech;
}

async function* eventsOf(pieces: AsyncIterable<SpeechPiece>): AsyncGenerator<Uint8Array> {
  for await (const { audio, ...known } of pieces) {
    const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
    const event: SpeechStreamEvent = { audio_base64: bytes.toString('base64'), ...known };
    yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
  }
}

async function* audioOf(pieces: AsyncIterable<SpeechPiece>): AsyncGenerator<Uint8Array> {
  for await (const { audio } of pieces) if (audio.length > 0) yield audio;
}

/** Speech that is billed to the account of a call, and is kept with the call. */
interface OpenedSpeech extends SpeechSession {
  readonly job: SpeechJob;
}

/**
 * Opens the speech of a request. Listens to its samples first, if it has any.
 *
 * @param grows whether more text may come than that of the request
 * @throws Refusal when the account may not have this spoken, or a sample cannot be read
 */
async function openSpeech(
  context: OperationContext,
  request: SynthesisRequest,
  { signal, grows }: { readonly signal: AbortSignal; readonly grows: boolean },
): Promise<OpenedSpeech> {
  const { call, speech, recall, record } = context;
  const voices = await voicesOf(request, { ...context, signal });
  signal.throwIfAborted();
  const job = createJob(request, call.headers[headerNames.model], voices);
  const bill = openBill(context, job, savedVoicesOf(request));
  let { text: spoken } = request;
  record.said(request);
  const session = speech.open(job, { signal, onSpoken: recall.onSpoken });
  const deliver = async function* (): AsyncGenerator<SpeechPiece> {
    record.speaks(request);
    let hasAudio = false;
    let isWhole = false;
    try {
      for await (const piece of session.pieces) {
        hasAudio ||= piece.audio.length > 0;
        bill.add(piece);
        record.heard(piece.audio);
        yield piece;
      }
      signal.throwIfAborted();
      // An empty success would be wrong, and the engine is not at fault.
      if (!hasAudio && !grows)
        throw new Refusal('rule', { message: 'text contains nothing that can be spoken.' });
      isWhole = true;
    } catch (cause) {
      if (!(cause instanceof SpeechOverloadError)) throw cause;
      const message = 'The sandbox has more to speak than it can; try again in a moment.';
      throw new Refusal('overloaded', { message, headers: overloadHeaders, cause });
    } finally {
      bill.settle(isWhole);
    }
  };
  return {
    job,
    write(text) {
      bill.reserve(text);
      spoken += text;
      record.said({ ...request, text: spoken });
      session.write(text);
    },
    flush: session.flush,
    end: session.end,
    pieces: deliver(),
  };
}

/** The bill of a text that may still grow. */
function openBill({ state, account }: OperationContext, job: SpeechJob, voices: readonly string[]) {
  const price = (text: string): bigint => state.prices.speech(text, job.model);
  let credit = price(job.text);
  const hold = state.wallets.hold(account.user._id, credit);
  let produced = 0n;
  let lastChunk = -1;
  return {
    /** Reserves the price of more text. @throws Refusal `credit-short` when the account has less than that */
    reserve(text: string): void {
      const more = price(text);
      hold.grow(more);
      credit += more;
    },
    /** Notes the text chunk of a piece that leaves. */
    add({ chunk_seq, content, audio }: SpeechPiece): void {
      if (chunk_seq <= lastChunk || audio.length === 0) return;
      lastChunk = chunk_seq;
      produced += price(content);
    },
    /** Charges the whole text, tags and spaces included, or the text chunks that were begun. */
    settle(isWhole: boolean): void {
      if (lastChunk >= 0) hold.settle(isWhole ? credit : produced, () => state.models.countUse(voices));
      else hold.settle(0n);
    },
  };
}

/** Fills in the defaults of the spec. The two fields that may be null, sample_rate and prosody, mean their defaults by it. */
export function createJob(
  request: SynthesisRequest,
  modelHeader: string | undefined,
  speakers: readonly VoiceProfile[],
): SpeechJob {
  const settings = { ...synthesisDefaults, ...request };
  return {
    text: settings.text,
    // Unknown models are spoken by the default model.
    model: synthesisModels.find((model) => model === modelHeader) ?? defaultModel,
    speakers,
    format: settings.format,
    sample_rate: settings.sample_rate ?? defaultSampleRates[settings.format],
    mp3_bitrate: settings.mp3_bitrate,
    opus_bitrate: settings.opus_bitrate,
    chunk_length: settings.chunk_length,
    min_chunk_length: settings.min_chunk_length,
    latency: settings.latency,
    normalize: settings.normalize,
    temperature: settings.temperature,
    top_p: settings.top_p,
    max_new_tokens: settings.max_new_tokens,
    condition_on_previous_chunks: settings.condition_on_previous_chunks,
    prosody: { ...prosodyDefaults, ...settings.prosody },
  };
}

/** The voice of a request that names none. */
const voiceOfNobody = 'sandbox-alba';

type VoiceSources = Pick<OperationContext, 'state' | 'account' | 'lenient' | 'uploads' | 'signal'>;

/**
 * The voices of a request, in the order of its speakers.
 *
 * Saved voices are looked up; in a zero-shot dialogue the ids are arbitrary names and are not.
 *
 * @throws Refusal `unknown-voice`, or `audio-unreadable` naming the sample
 */
async function voicesOf(request: SynthesisRequest, sources: VoiceSources): Promise<readonly VoiceProfile[]> {
  const { reference_id: ids } = request;
  const references: readonly (ReferenceAudio | readonly ReferenceAudio[])[] = request.references ?? [];
  if (Array.isArray(ids)) {
    if (references.length === 0) return ids.map((id) => savedVoice(id, sources));
    return await Array.fromAsync(references, (samples, speaker) =>
      voiceOfSamples([samples].flat(), `references[${speaker}]`, sources),
    );
  }
  // With both, the samples are the voice (`reference-both-or-neither` in the register).
  if (references.length > 0) return [await voiceOfSamples(references.flat(), 'references', sources)];
  return [typeof ids === 'string' ? savedVoice(ids, sources) : profileForVoice(voiceOfNobody)];
}

/** The ids of the voice models that speak. Ids in a zero-shot dialogue are not voice models. */
function savedVoicesOf(request: SynthesisRequest): readonly string[] {
  const { reference_id: ids } = request;
  const isZeroShot = Array.isArray(ids) && (request.references?.length ?? 0) > 0;
  return ids === undefined || isZeroShot ? [] : [ids].flat();
}

function savedVoice(id: string, { state, account, lenient }: VoiceSources): VoiceProfile {
  const stored = state.models.find(id);
  if (stored === undefined && lenient) return profileForVoice(id);
  const name = JSON.stringify(id.slice(0, 100));
  if (!stored || !isReadable(stored.model, account)) {
    const message = strictWords('unknown-voices', { field: 'reference_id', value: name });
    throw new Refusal('unknown-voice', { message, lenientAccepts: stored === undefined });
  }
  const { state: reached } = stateOf(stored, state.now());
  if (reached !== 'trained') {
    const why = reached === 'failed' ? 'its training failed' : `it is ${reached}, not trained yet`;
    throw new Refusal('unknown-voice', { message: `reference_id ${name} cannot speak: ${why}.` });
  }
  return { ...profileForVoice(id), languages: stored.model.languages };
}

/** Makes a voice from samples that can be decoded: the same samples always give the same voice. */
async function voiceOfSamples(
  samples: readonly ReferenceAudio[],
  field: string,
  { uploads, signal }: VoiceSources,
): Promise<VoiceProfile> {
  const hash = createHash('sha256');
  for (const [index, { audio }] of samples.entries()) {
    // Validation has turned every sample into bytes, whichever way it came.
    const bytes = audio as Uint8Array;
    hash.update(bytes);
    const { problem } = await inspectClip(bytes, { uploads, signal });
    if (problem === undefined) continue;
    throw new Refusal('audio-unreadable', { message: `\`${field}[${index}].audio\`: ${problem}.` });
  }
  return profileForVoice(`samples-${hash.digest('hex').slice(0, 32)}`);
}
