import type { components, operations } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** The known purposes of a voice model. */
export type VoiceModelType = Schemas['VoiceModelType'];

/** Progress of the training of a voice model, as far as it is known. */
export type VoiceModelState = Schemas['VoiceModelState'];

/** The users who can find a voice model: everyone, everyone with its id, or its author. */
export type Visibility = Schemas['Visibility'];

/** Training mode of a voice model: usable at once, or trained over some time. */
export type TrainMode = Schemas['TrainMode'];

/** The user who created a voice model. */
export type VoiceModelAuthor = Schemas['VoiceModelAuthor'];

/** A sample of what a voice sounds like; `audio` is an address. */
export type VoiceModelSample = Schemas['VoiceModelSample'];

/** Quality of the recordings of a voice model. */
export type VoiceModelQuality = Schemas['VoiceModelQuality'];

/** Quality of one recording; its duration is in milliseconds. */
export type VoiceModelQualityAudio = Schemas['VoiceModelQualityAudio'];

/**
 * A saved voice, as the service answers it. Its `_id` is what `reference_id` of a request names.
 * Fields with a list of values may hold one that is not known yet; {@link voiceModelDefaults} says what an absent field means.
 */
export type VoiceModel = Schemas['VoiceModel'];

/** One page of voice models. */
export type VoiceModelList = Schemas['VoiceModelList'];

/** Filters and pages of the list of voice models, each optional. */
export type ListModelsQuery = NonNullable<operations['listModels']['parameters']['query']>;

/** The title of a new voice model and how it is made. */
export type CreateModelSettings = Schemas['CreateModelSettings'];

/** A new voice model in JSON or MessagePack: one recording, or as many as {@link limits} allow. */
export type CreateModelRequest = Schemas['CreateModelRequest'];

/** A new voice model as a multipart form, one part a recording. */
export type CreateModelForm = Schemas['CreateModelForm'];

/** Changes of a voice model; a field that is absent or null stays as it is. */
export type UpdateModelRequest = Schemas['UpdateModelRequest'];
