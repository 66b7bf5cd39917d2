import { isObject, type JsonObject } from '../specification/document.ts';
import type { Answer } from './answer.ts';
import { isSegment, type TimedSegment } from './timestamps.ts';

/** A transcription with its audio. */
export interface JudgedTranscription {
  readonly answer: Answer;
  readonly text: string | undefined;
  /** Seconds, as it says. */
  readonly duration: number | undefined;
  /** `undefined` when they are not segments. */
  readonly segments: readonly TimedSegment[] | undefined;
  /** Seconds that the audio of the request lasts, where it is known. */
  readonly audioSeconds: number | undefined;
  /** Contents of the request, if known. */
  readonly asked: JsonObject | undefined;
}

export function readTranscription(answer: Answer, audioSeconds: number | undefined): JudgedTranscription {
  const value = answer.json !== undefined && 'value' in answer.json ? answer.json.value : undefined;
  const { text, duration, segments } = isObject(value) ? value : ({} as JsonObject);
  const all = Array.isArray(segments) ? segments : undefined;
  return {
    answer,
    text: typeof text === 'string' ? text : undefined,
    duration: typeof duration === 'number' ? duration : undefined,
    segments: all?.every(isSegment) ? all : undefined,
    audioSeconds,
    asked: isObject(answer.asked.body) ? answer.asked.body : undefined,
  };
}
