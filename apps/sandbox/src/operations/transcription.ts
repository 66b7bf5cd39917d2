import { Refusal, sendJson } from '@speech-api/server';
import { type Decoded, limits, type TranscriptionRequest, transcriptionDefaults } from '@speech-api/types';
import { transcribe } from '../transcription.ts';
import { UnreadableAudioError } from '../uploads/sound.ts';
import type { ReadFile } from '../uploads/uploads.ts';
import type { OperationHandler } from './context.ts';

/** The sandbox's own header, beside the interface: where the words of a transcription come from. */
export const transcriptionHeader = 'x-sandbox-transcription';

/** Seconds that encoders put around a recording of exactly the longest length. */
const encoderPadding = 0.1;
const lossless = new Set(['pcm', 'flac']);

/** `POST /v1/asr`: recalls what is known of the recording, and says so of the rest. */
export const createTranscription: OperationHandler = async (context) => {
  const { call, account, response, recall, signal, state, uploads } = context;
  const request = { ...transcriptionDefaults, ...(call.body as Decoded<TranscriptionRequest>) };
  // Validation has turned the file into bytes, whichever way it came.
  const bytes = request.audio as Uint8Array;
  const file = await uploads.read(bytes, { signal }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  checkLength(file);
  const amount = state.prices.transcription(file.duration);
  const hold = state.wallets.hold(account.user._id, amount, call.operation.id);
  try {
    const words = await recall.wordsIn(file.frames, signal);
    const { transcription, sources } = transcribe(file, words, {
      language: request.language,
      ignoreTimestamps: request.ignore_timestamps,
    });
    // Before the answer, so that a caller who has it finds it charged.
    hold.settle(amount);
    sendJson(response, 200, transcription, { [transcriptionHeader]: sources.join(', ') });
  } finally {
    hold.settle(0n);
  }
};

/** The refusal of a recording that cannot be read; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof UnreadableAudioError)) return error;
  const message = `\`audio\` cannot be read: ${error.message}.`;
  return new Refusal('audio-unreadable', { message, cause: error });
}

function checkLength(file: ReadFile): void {
  const { transcriptionMinimumSeconds: least, transcriptionMaximumSeconds: most } = limits;
  if (file.duration < least) {
    const message = `\`audio\` has ${file.duration.toFixed(3)} seconds of sound; at least ${least} is needed.`;
    throw new Refusal('audio-length', { message });
  }
  const padding = lossless.has(file.codec) ? 0 : encoderPadding;
  if (file.cut || file.duration > most + padding) {
    const message = `\`audio\` is longer than ${most / 60} minutes. Split the recording.`;
    throw new Refusal('audio-length', { message });
  }
}
