import type { VoiceModel } from '@speech-api/types';
import type { ClipFacts } from '../clips/inspect-clip.ts';
import { stateAt, type Training } from './training.ts';

/** A recording that a voice was made from. */
export interface StoredClip {
  /** As its sender named it. */
  readonly title: string;
  /** What is said in it; empty when nobody said. */
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

/** The state of a voice model at a time, and since when it holds. */
export function stateOf(
  { model, training }: StoredModel,
  now: number,
): { readonly state: VoiceModel['state']; readonly since: number } {
  if (training === undefined) return { state: model.state, since: Date.parse(model.created_at) };
  return stateAt(training, Date.parse(model.created_at), now);
}
