/** First version, written by hand until the generator takes over; the names stay. */
import type { BinaryInput } from '../binary-input.ts';

export interface components {
  schemas: {
    AudioBytes: BinaryInput;
    AudioFile: BinaryInput;
    SynthesisModel: 's1' | 's2-pro' | 's2.1-pro' | 's2.1-pro-free' | (string & {});
    AudioFormat: 'wav' | 'pcm' | 'mp3' | 'opus';
    LatencyMode: 'low' | 'normal' | 'balanced';
    Prosody: { speed?: number; volume?: number; normalize_loudness?: boolean };
    ReferenceAudio: { audio: components['schemas']['AudioBytes']; text: string };
    SynthesisSettings: {
      text: string;
      temperature?: number;
      top_p?: number;
      prosody?: components['schemas']['Prosody'] | null;
      chunk_length?: number;
      normalize?: boolean;
      format?: components['schemas']['AudioFormat'];
      sample_rate?: number | null;
      mp3_bitrate?: 64 | 128 | 192;
      opus_bitrate?: -1000 | 24000 | 32000 | 48000 | 64000;
      latency?: components['schemas']['LatencyMode'];
      max_new_tokens?: number;
      repetition_penalty?: number;
      min_chunk_length?: number;
      condition_on_previous_chunks?: boolean;
      early_stop_threshold?: number;
    };
    SingleSpeakerRequest: components['schemas']['SynthesisSettings'] & {
      reference_id?: string;
      references?: components['schemas']['ReferenceAudio'][];
    };
    DialogueRequest: components['schemas']['SynthesisSettings'] & {
      reference_id: string[];
      references?: never;
    };
    ZeroShotDialogueRequest: components['schemas']['SynthesisSettings'] & {
      reference_id: string[];
      references: components['schemas']['ReferenceAudio'][][];
    };
    SynthesisRequest:
      | components['schemas']['SingleSpeakerRequest']
      | components['schemas']['DialogueRequest']
      | components['schemas']['ZeroShotDialogueRequest'];
    AlignmentSegment: { text: string; start: number; end: number };
    Alignment: { audio_duration: number; segments: components['schemas']['AlignmentSegment'][] };
    SpeechStreamEvent: {
      audio_base64: string;
      content: string;
      alignment: components['schemas']['Alignment'] | null;
      chunk_seq: number;
      chunk_audio_offset_sec: number;
    };
    TranscriptionRequest: {
      audio: components['schemas']['AudioFile'];
      language?: string;
      ignore_timestamps?: boolean;
    };
    TranscriptionSegment: { text: string; start: number; end: number };
    Transcription: {
      text: string;
      duration: number;
      segments: components['schemas']['TranscriptionSegment'][];
      language_code?: string;
    };
    VoiceModelType: 'svc' | 'tts' | (string & {});
    VoiceModelState: 'created' | 'training' | 'trained' | 'failed' | (string & {});
    Visibility: 'public' | 'unlist' | 'private';
    TrainMode: 'fast' | 'full';
    VoiceModelAuthor: { _id: string; nickname: string; avatar: string };
    VoiceModelSample: { title: string; text: string; task_id: string; audio: string };
    VoiceModelQualityAudio: {
      filename: string;
      duration_ms: number;
      language?: string;
      quality: { [metric: string]: number };
      quality_passed?: boolean;
      quality_reason?: string;
    };
    VoiceModelQuality: {
      created_at: string;
      updated_at: string;
      audios: components['schemas']['VoiceModelQualityAudio'][];
    };
    VoiceModel: {
      _id: string;
      type: components['schemas']['VoiceModelType'];
      title: string;
      state: components['schemas']['VoiceModelState'];
      tags: string[];
      created_at: string;
      updated_at: string;
      visibility: components['schemas']['Visibility'] | (string & {});
      like_count: number;
      mark_count: number;
      shared_count: number;
      task_count: number;
      author: components['schemas']['VoiceModelAuthor'];
      description?: string;
      cover_image?: string;
      train_mode?: components['schemas']['TrainMode'] | (string & {});
      samples?: components['schemas']['VoiceModelSample'][];
      languages?: string[];
      lock_visibility?: boolean;
      dmca_taken_down?: boolean | null;
      default_text?: string;
      source?: string | null;
      quality?: components['schemas']['VoiceModelQuality'] | null;
      unliked?: boolean;
      liked?: boolean;
      marked?: boolean;
    };
    VoiceModelList: { total: number; items: components['schemas']['VoiceModel'][]; has_more: boolean };
    CreateModelRequest: {
      type: 'tts';
      title: string;
      train_mode: components['schemas']['TrainMode'];
      voices: components['schemas']['AudioFile'][];
      texts?: string[];
      visibility?: components['schemas']['Visibility'];
      description?: string;
      cover_image?: components['schemas']['AudioFile'];
      tags?: string[];
      enhance_audio_quality?: boolean;
      generate_sample?: boolean;
    };
    UpdateModelRequest: {
      title?: string | null;
      description?: string | null;
      cover_image?: string | null;
      tags?: string[] | string | null;
      visibility?: components['schemas']['Visibility'] | null;
    };
    ApiCredit: {
      _id: string;
      user_id: string;
      credit: string;
      created_at: string;
      updated_at: string;
      has_phone_sha256: boolean;
      has_free_credit: boolean;
    };
    Package: {
      user_id: string;
      type: string;
      total: number;
      balance: number;
      created_at: string;
      updated_at: string;
      finished_at: string;
      payment_subscription_id?: string | null;
      payment_price_id?: string | null;
      billing_period?: string | null;
      current_period_end?: string | null;
      cancel_at_period_end?: boolean | null;
      cancel_at?: string | null;
      scheduled_change?: { [key: string]: unknown } | null;
      last_synced_at?: string | null;
      extra_balance?: number | null;
      has_used_trial?: boolean;
    };
    GeneralError: { status: number; message: string; reason?: string | null };
    ValidationIssue: { loc: string[]; type: string; msg: string; ctx: string; in?: string };
    ValidationError: components['schemas']['ValidationIssue'][];
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

type Schemas = components['schemas'];
type None = { query?: never; path?: never; cookie?: never };
type Failure<Body> = { headers: { [name: string]: unknown }; content: { 'application/json': Body } };
type Failures = {
  400: Failure<Schemas['GeneralError']>;
  401: Failure<Schemas['GeneralError']>;
  402: Failure<Schemas['GeneralError']>;
  403: Failure<Schemas['GeneralError']>;
  404: Failure<Schemas['GeneralError']>;
  413: Failure<Schemas['GeneralError']>;
  415: Failure<Schemas['GeneralError']>;
  422: Failure<Schemas['ValidationError']>;
  429: Failure<Schemas['GeneralError']>;
  500: Failure<Schemas['GeneralError']>;
  503: Failure<Schemas['GeneralError']>;
};
type Success<Content> = { headers: { [name: string]: unknown }; content: Content };
type SynthesisParameters = None & {
  header: { model: Schemas['SynthesisModel']; traceparent?: string };
};
type SynthesisBody = {
  content: {
    'application/json': Schemas['SynthesisRequest'];
    'application/msgpack': Schemas['SynthesisRequest'];
  };
};

export interface operations {
  createSpeech: {
    parameters: SynthesisParameters;
    requestBody: SynthesisBody;
    responses: Failures & {
      200: Success<{
        'audio/mpeg': BinaryInput;
        'audio/wav': BinaryInput;
        'audio/ogg': BinaryInput;
        'audio/pcm': BinaryInput;
      }>;
    };
  };
  streamSpeechWithTimestamps: {
    parameters: SynthesisParameters;
    requestBody: SynthesisBody;
    responses: Failures & { 200: Success<{ 'text/event-stream': Schemas['SpeechStreamEvent'] }> };
  };
  createTranscription: {
    parameters: None & { header?: { traceparent?: string } };
    requestBody: {
      content: {
        'multipart/form-data': Schemas['TranscriptionRequest'];
        'application/msgpack': Schemas['TranscriptionRequest'];
      };
    };
    responses: Failures & { 200: Success<{ 'application/json': Schemas['Transcription'] }> };
  };
  listModels: {
    parameters: {
      query?: {
        page_size?: number;
        page_number?: number;
        title?: string;
        tag?: string[];
        self?: boolean;
        author_id?: string;
        language?: string[];
        title_language?: string[];
        sort_by?: 'score' | 'task_count' | 'created_at';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: Failures & { 200: Success<{ 'application/json': Schemas['VoiceModelList'] }> };
  };
  createModel: {
    parameters: None & { header?: never };
    requestBody: {
      content: {
        'multipart/form-data': Schemas['CreateModelRequest'];
        'application/msgpack': Schemas['CreateModelRequest'];
        'application/json': Schemas['CreateModelRequest'];
      };
    };
    responses: Failures & { 201: Success<{ 'application/json': Schemas['VoiceModel'] }> };
  };
  getModel: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never };
    requestBody?: never;
    responses: Failures & { 200: Success<{ 'application/json': Schemas['VoiceModel'] }> };
  };
  updateModel: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never };
    requestBody: {
      content: {
        'application/json': Schemas['UpdateModelRequest'];
        'application/x-www-form-urlencoded': Schemas['UpdateModelRequest'];
        'multipart/form-data': Schemas['UpdateModelRequest'];
        'application/msgpack': Schemas['UpdateModelRequest'];
      };
    };
    responses: Failures & { 200: { headers: { [name: string]: unknown }; content?: never } };
  };
  deleteModel: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never };
    requestBody?: never;
    responses: Failures & { 200: { headers: { [name: string]: unknown }; content?: never } };
  };
  getApiCredit: {
    parameters: { query?: never; header?: never; path: { user_id: string }; cookie?: never };
    requestBody?: never;
    responses: Failures & { 200: Success<{ 'application/json': Schemas['ApiCredit'] }> };
  };
  getPackage: {
    parameters: { query?: never; header?: never; path: { user_id: string }; cookie?: never };
    requestBody?: never;
    responses: Failures & { 200: Success<{ 'application/json': Schemas['Package'] }> };
  };
  openLiveSession: {
    parameters: SynthesisParameters;
    requestBody?: never;
    responses: Failures & { 101: { headers: { [name: string]: unknown }; content?: never } };
  };
}

type Parameters = { query?: never; header?: never; path?: never; cookie?: never };
type Without = {
  get?: never;
  put?: never;
  post?: never;
  delete?: never;
  options?: never;
  head?: never;
  patch?: never;
  trace?: never;
  parameters: Parameters;
};

export interface paths {
  '/v1/tts': Omit<Without, 'post'> & { post: operations['createSpeech'] };
  '/v1/tts/stream/with-timestamp': Omit<Without, 'post'> & { post: operations['streamSpeechWithTimestamps'] };
  '/v1/asr': Omit<Without, 'post'> & { post: operations['createTranscription'] };
  '/model': Omit<Without, 'get' | 'post'> & { get: operations['listModels']; post: operations['createModel'] };
  '/model/{id}': Omit<Without, 'get' | 'patch' | 'delete'> & {
    get: operations['getModel'];
    patch: operations['updateModel'];
    delete: operations['deleteModel'];
  };
  '/wallet/{user_id}/api-credit': Omit<Without, 'get'> & { get: operations['getApiCredit'] };
  '/wallet/{user_id}/package': Omit<Without, 'get'> & { get: operations['getPackage'] };
  '/v1/tts/live': Omit<Without, 'get'> & { get: operations['openLiveSession'] };
}
