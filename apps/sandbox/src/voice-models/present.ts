import type { VoiceModel, VoiceModelQuality, VoiceModelSample } from '@speech-api/types';
import { type StoredClip, type StoredModel, stateOf } from './stored-model.ts';

/** What an answer depends on beside the model. */
export interface Presentation {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** The address of a kept file. */
  readonly fileUrl: (name: string) => string;
}

/** A voice model as it is answered now. */
export function presentModel(stored: StoredModel, { now, fileUrl }: Presentation): VoiceModel {
  const { model, clips = [], cover } = stored;
  const { state, since } = stateOf(stored, now);
  return {
    ...model,
    state,
    ...(since > Date.parse(model.updated_at) && { updated_at: new Date(since).toISOString() }),
    ...(cover === undefined ? {} : { cover_image: fileUrl(cover) }),
    ...(clips.length > 0 && {
      samples: [...(model.samples ?? []), ...clips.map((clip) => sampleOf(clip, fileUrl))],
      quality: qualityOf(clips, model.created_at),
    }),
  };
}

function sampleOf(
  { title, text, task_id, file }: StoredClip,
  fileUrl: (name: string) => string,
): VoiceModelSample {
  return { title, text, task_id, audio: fileUrl(file) };
}

/** Null when nothing is known of the recordings but that they are audio: what was not measured is not made up. */
function qualityOf(clips: readonly StoredClip[], judgedAt: string): VoiceModelQuality | null {
  if (!clips.some(({ facts }) => facts.problem !== undefined || facts.seconds !== undefined)) return null;
  const audios = clips.map(({ title, facts }) => ({
    filename: title,
    ...(facts.seconds === undefined ? {} : { duration_ms: Math.round(facts.seconds * 1000) }),
    language: facts.language ?? 'unknown',
    quality: { ...facts.metrics },
    quality_passed: facts.problem === undefined,
    quality_reason: facts.problem ?? '',
  }));
  return { created_at: judgedAt, updated_at: judgedAt, audios };
}
