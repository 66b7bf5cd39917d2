import {
  defaultSampleRates,
  prosodyDefaults,
  type SynthesisRequest,
  synthesisDefaults,
} from '@speech-api/types';
import { createSound, type Sound } from '../audio/sound.ts';
import { type Script, type Step, writeScript } from './script.ts';
import { readScript } from './transcripts.ts';

/**
 * Decides what is spoken and how it sounds: the words of the request unless a transcript is asked for by its name, always
 * in the format of the request.
 */
export function synthesize(request: SynthesisRequest, example?: string) {
  const format = request.format ?? synthesisDefaults.format;
  const speed = request.prosody?.speed ?? prosodyDefaults.speed;
  const transcript = example === undefined ? undefined : readScript(example);
  return { format, script: transcript ?? writeScript(request, speed), sound: soundOf(request) };
}

/** The sound of a request, at its beginning. */
export function soundOf(request: SynthesisRequest): Sound {
  const format = request.format ?? synthesisDefaults.format;
  return createSound({
    format,
    sampleRate: request.sample_rate ?? defaultSampleRates[format],
    mp3Bitrate: request.mp3_bitrate ?? synthesisDefaults.mp3_bitrate,
    opusBitrate: request.opus_bitrate ?? synthesisDefaults.opus_bitrate,
  });
}

export interface Piece {
  readonly step: Step;
  readonly audio: Uint8Array;
}

/** Gives each step of a script its audio, one at a time: audio is made only when it is requested. */
export function* render({ steps, ending }: Script, sound: Sound): Generator<Piece> {
  let held: Step | undefined;
  for (const step of steps) {
    if (held !== undefined) yield { step: held, audio: sound.until(held.audioUntil) };
    held = step;
  }
  if (held === undefined) return;
  const { audioUntil } = held;
  yield { step: held, audio: ending === 'broken' ? sound.until(audioUntil) : sound.finish(audioUntil) };
}
