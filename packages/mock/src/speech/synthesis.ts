import {
  defaultSampleRates,
  prosodyDefaults,
  type SynthesisRequest,
  synthesisDefaults,
} from '@speech-api/types';
import { createSound, type Sound } from '../audio/sound.ts';
import { readScript } from '../transcripts/transcripts.ts';
import type { Script } from './script.ts';
import { writeScript } from './write-script.ts';

/** What a synthesis request is answered with. */
export interface Synthesis {
  readonly format: NonNullable<SynthesisRequest['format']>;
  readonly script: Script;
  readonly sound: Sound;
}

/**
 * Decides what is spoken and how it sounds: the words of the request unless a transcript is asked for by its name, always
 * in the format of the request.
 */
export function synthesize(request: SynthesisRequest, example?: string): Synthesis {
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
