import type { VoiceModel, VoiceModelQuality, VoiceModelSample, VoiceModelState } from '@speech-api/types';
import type { ClipFacts } from '../clips.ts';

/** A recording that a voice was made from. */
export interface StoredClip {
  /** As its sender named it. */
  readonly title: string;
  /** Text spoken in it; empty if it is unknown. */
  readonly text: string;
  readonly task_id: string;
  /** Its name in the file store. */
  readonly file: string;
  readonly facts: ClipFacts;
}

/** A voice model as it is kept. What follows from the clock or from an address is added when it is answered. */
export interface StoredModel {
  readonly model: VoiceModel;
  /** The language the title is written in, for the filter of the same name. */
  readonly title_language: string;
  /** Absent: it was trained when it came. */
  readonly training?: Training;
  readonly clips?: readonly StoredClip[];
  /** The name of an uploaded cover image in the file store. */
  readonly cover?: string;
}

/** The names of all files of a voice model. */
export function filesOf({ clips = [], cover }: StoredModel): readonly string[] {
  return [...clips.map((clip) => clip.file), ...(cover === undefined ? [] : [cover])];
}

/**
 * Training of a voice model. Its state follows from the clock alone, so it continues while the sandbox is not
 * running. Unix times in milliseconds.
 */
export interface Training {
  readonly starts_at: number;
  readonly ends_at: number;
  readonly outcome: Extract<VoiceModelState, 'trained' | 'failed'>;
}

/** Share of the whole time that a voice model waits before its training starts. */
const waitingShare = 0.25;

/** Plans a training. */
export function planTraining(
  createdAt: number,
  milliseconds: number,
  outcome: Training['outcome'],
): Training {
  return {
    starts_at: createdAt + Math.round(milliseconds * waitingShare),
    ends_at: createdAt + milliseconds,
    outcome,
  };
}

/** The state of a voice model at a time, and since when it holds: `created`, then `training`, then `trained` or `failed`. */
export function stateOf(
  { model, training }: StoredModel,
  now: number,
): { readonly state: VoiceModel['state']; readonly since: number } {
  const createdAt = Date.parse(model.created_at);
  if (training === undefined) return { state: model.state, since: createdAt };
  if (now >= training.ends_at) return { state: training.outcome, since: training.ends_at };
  if (now >= training.starts_at) return { state: 'training', since: training.starts_at };
  return { state: 'created', since: createdAt };
}

/** Inputs of an answer, besides the model. */
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
    language: 'unknown',
    quality: facts.speechSeconds === undefined ? {} : { speech_seconds: facts.speechSeconds },
    quality_passed: facts.problem === undefined,
    quality_reason: facts.problem ?? '',
  }));
  return { created_at: judgedAt, updated_at: judgedAt, audios };
}
