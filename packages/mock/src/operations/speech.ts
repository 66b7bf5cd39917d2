import { type Answer, CutOnPurpose } from '@speech-api/server';
import {
  audioMediaTypes,
  mediaTypes,
  type SpeechStreamEvent,
  type SynthesisRequest,
} from '@speech-api/types';
import { documentedAnswer } from '../documented-answer.ts';
import type { Script } from '../speech/script.ts';
import { type Piece, render, synthesize } from '../speech/synthesis.ts';
import { isTranscript, transcriptNames } from '../speech/transcripts.ts';
import {
  answerDocumented,
  choose,
  type OperationContext,
  type OperationHandler,
  withoutTrace,
} from './documented.ts';

/** `POST /v1/tts`: a tone as long as the text, in the format of the request. */
export const createSpeech: OperationHandler = (context) => {
  if (asksForError(context)) return answerDocumented(context);
  refuseUnknownExample(context);
  const { format, script, sound } = synthesize(requestOf(context), context.preferences.example);
  const bytes = bytesOf(script, recorded(context, render(script, sound)), ({ audio }) => audio);
  return streamed(context, audioMediaTypes[format], bytes);
};

/** `POST /v1/tts/stream/with-timestamp`: the same audio as events, each with the alignment of its chunk so far. */
export const streamSpeechWithTimestamps: OperationHandler = (context) => {
  if (asksForError(context)) return answerDocumented(context);
  const { example } = context.preferences;
  if (example !== undefined && !isTranscript(example)) {
    return streamed(context, mediaTypes.eventStream, writtenEvents(context, example));
  }
  const { script, sound } = synthesize(requestOf(context), example);
  const bytes = bytesOf(script, recorded(context, render(script, sound)), lineOf, endings);
  return streamed(context, mediaTypes.eventStream, bytes);
};

function requestOf({ call }: OperationContext): SynthesisRequest {
  return call.body as SynthesisRequest;
}

/** Audio is made for each request; every other answer comes from the document. */
function asksForError({ preferences: { code } }: OperationContext): boolean {
  return code !== undefined && code !== '200';
}

function refuseUnknownExample({ call, preferences: { example } }: OperationContext): void {
  choose(() => {
    if (example === undefined || isTranscript(example)) return;
    throw new Error(
      `${call.operation.id} has no example ${example}; it has ${transcriptNames().join(', ')}.`,
    );
  });
}

/** The events of the document's own example, as they are written there. */
async function* writtenEvents({ call }: OperationContext, example: string): AsyncGenerator<Uint8Array> {
  const wish = { code: '200', example, mediaType: mediaTypes.eventStream };
  const { body } = choose(() => documentedAnswer(call.operation.id, wish));
  yield Buffer.from(String(body));
}

function* recorded(context: OperationContext, pieces: Iterable<Piece>): Generator<Piece> {
  const { record } = context;
  record.speaks(requestOf(context));
  for (const piece of pieces) {
    record.heard(piece.audio);
    yield piece;
  }
}

interface Endings {
  readonly marker: string;
  readonly broken: string;
}

const endings: Endings = { marker: 'data: [DONE]\n\n', broken: 'data: {"audio_base64":"' };

async function* bytesOf(
  { ending }: Script,
  pieces: Iterable<Piece>,
  encode: (piece: Piece) => Uint8Array,
  written: Partial<Endings> = {},
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const bytes = encode(piece);
    if (bytes.length > 0) yield bytes;
  }
  if (ending === 'clean') return;
  yield Buffer.from(written[ending] ?? '');
  if (ending === 'broken') throw new CutOnPurpose();
}

function lineOf({ step, audio }: Piece): Uint8Array {
  const { audioUntil: _, ...about } = step;
  const { buffer, byteOffset, byteLength } = audio;
  const event: SpeechStreamEvent = {
    audio_base64: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    ...about,
  };
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}

function streamed({ call }: OperationContext, mediaType: string, body: AsyncIterable<Uint8Array>): Answer {
  const { headers } = documentedAnswer(call.operation.id, { code: '200', mediaType });
  return {
    status: 200,
    headers: {
      ...withoutTrace(headers),
      'content-type': mediaType,
      // Nothing on the way may hold pieces back or keep them.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
    body,
  };
}
