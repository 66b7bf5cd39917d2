/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/openapi.json  sha256 4520a8e07be84020
 *   @speech-api/spec/asyncapi.json  sha256 6f6cf089dadb32c6
 */

import type { BinaryInput, BinaryOutput } from '../binary.ts';

export interface paths {
  '/v1/tts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn text into audio
     * @description Turns text into audio in one of four formats.
     *     The voice is a saved voice model or inline samples; several voices speak in turn with model `s2-pro` only.
     *     A dialogue on another model, or a sample rate the format does not have, is refused.
     */
    post: operations['createSpeech'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tts/stream/with-timestamp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn text into audio with timestamps
     * @description Turns text into a stream of audio chunks and of snapshots that tell when each piece of text is spoken.
     *     Append every decoded audio chunk in arrival order, also when `alignment` is null.
     *     Replace the snapshot of a `chunk_seq` whenever `alignment` is not null; never append segments.
     *     Add `chunk_audio_offset_sec` to the times of segments for the global timeline.
     *     The format `opus` at 48 kHz is recommended; `wav` and `pcm` are uncompressed with larger payloads,
     *     and chunks of `mp3` may align less neatly with the snapshots because its encoder windows overlap.
     */
    post: operations['streamSpeechWithTimestamps'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tts/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Open a live session
     * @description Upgrades the connection to a WebSocket that turns text into audio while the text is being written.
     *     The messages that follow are described in the AsyncAPI document.
     *     Browsers cannot set headers on a WebSocket: they need a trusted proxy on a server.
     */
    get: operations['openLiveSession'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/asr': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn speech into text
     * @description Transcribes one audio file into text, a duration and timed segments.
     *     This operation is in beta and may change.
     *     One file per request, up to 20 MB, from 1 second to 60 minutes of audio.
     *     Longer recordings are split by the client.
     */
    post: operations['createTranscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/model': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List voice models
     * @description Lists voice models, filtered, sorted and page by page.
     */
    get: operations['listModels'];
    put?: never;
    /**
     * Create a voice model
     * @description Creates a voice model from recordings of a voice.
     */
    post: operations['createModel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/model/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Id of the voice model.
         * @example 802e3bc2b27e49c2995d23ef70e6ac89
         */
        id: components['parameters']['VoiceModelId'];
      };
      cookie?: never;
    };
    /**
     * Read a voice model
     * @description Reads one voice model.
     *     Who can read it depends on its visibility: see `visibility`.
     */
    get: operations['getModel'];
    put?: never;
    post?: never;
    /**
     * Delete a voice model
     * @description Deletes a voice model for good.
     */
    delete: operations['deleteModel'];
    options?: never;
    head?: never;
    /**
     * Change a voice model
     * @description Changes fields of a voice model.
     */
    patch: operations['updateModel'];
    trace?: never;
  };
  '/wallet/{user_id}/api-credit': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description A user id, or `self` for the caller.
         * @example self
         */
        user_id: components['parameters']['CreditUserId'];
      };
      cookie?: never;
    };
    /**
     * Read the API credit
     * @description Reads the API credit of a user.
     */
    get: operations['getApiCredit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/wallet/{user_id}/package': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description A user id, or `self` for the caller.
         *     Clients send `self` if their user gives no id.
         * @example self
         */
        user_id: components['parameters']['PackageUserId'];
      };
      cookie?: never;
    };
    /**
     * Read the package
     * @description Reads the package of a user.
     */
    get: operations['getPackage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @description The text-to-speech model that speaks.
     *     `s1` uses `(parenthesis)` emotion tags; from 31 December 2026 it is served by `s2.1-pro`.
     *     `s2-pro`, the default, adds multi-speaker dialogue and natural-language expression control.
     *     Any other name is passed to the service as it is, because new models appear.
     * @default s2-pro
     * @example s2-pro
     */
    SynthesisModel: ('s1' | 's2-pro' | 's2.1-pro' | 's2.1-pro-free') | (string & {});
    /** @description Speed and volume of the voice. */
    Prosody: {
      /**
       * @description How fast the voice speaks, as a factor from 0.5 to 2.0.
       *     1 is unchanged.
       * @default 1
       * @example 1.1
       */
      speed?: number | undefined;
      /**
       * @description How loud the voice is, in decibels.
       *     0 is unchanged.
       *     A range of -20 to 20 is known; values beyond it are not refused.
       * @default 0
       * @example -3
       */
      volume?: number | undefined;
      /**
       * @description Evens out the loudness of the audio.
       *     Accepted without effect on `s1`.
       * @default true
       * @example true
       */
      normalize_loudness?: boolean | undefined;
    };
    /**
     * @description The format of the generated audio.
     *     `wav` and `pcm`: 16-bit, mono, at 8000, 16000, 24000, 32000 or 44100 Hz, 44100 unless asked otherwise.
     *     `mp3`: mono, at 32000 or 44100 Hz, 44100 unless asked otherwise, with 64, 128 or 192 kbps.
     *     `opus`: mono, at 48000 Hz, with an automatic bitrate or 24, 32, 48 or 64 kbps; 32 kbps is described as its default, while the default of `opus_bitrate` is automatic.
     *     A sample rate that the format does not have is refused.
     * @default mp3
     * @example mp3
     * @enum {string}
     */
    AudioFormat: 'wav' | 'pcm' | 'mp3' | 'opus';
    /**
     * @description How early the first audio should come.
     *     `normal`: the best quality.
     *     `balanced`: reduced latency, about 300 ms to the first audio; long input may be split into several text chunks.
     *     `low`: the lowest latency.
     * @default normal
     * @example normal
     * @enum {string}
     */
    LatencyMode: 'low' | 'normal' | 'balanced';
    /** @description The text to speak and how to speak it, for one or several speakers. */
    SynthesisSettings: {
      /**
       * @description Text to speak.
       *     In a dialogue, the tags `<|speaker:0|>`, `<|speaker:1|>` and so on stand before each utterance.
       *     At most 100 000 Unicode code points on the servers of this repository; longer text is refused.
       * @example The tide comes in at seven.
       */
      text: string;
      /**
       * @description Variety of the delivery, from 0 to 1.
       *     Higher is more varied, lower is more consistent.
       * @default 0.7
       * @example 0.6
       */
      temperature?: number | undefined;
      /**
       * @description Diversity of nucleus sampling, from 0 to 1.
       * @default 0.7
       * @example 0.8
       */
      top_p?: number | undefined;
      /**
       * @description Speed and volume adjustment.
       *     Null is the same as leaving it out.
       */
      prosody?: components['schemas']['Prosody'] | null | undefined;
      /**
       * @description Size of the text segments for processing, from 100 to 300.
       *     A value outside is refused.
       * @default 300
       * @example 200
       */
      chunk_length?: number | undefined;
      /**
       * @description Normalizes text for English and Chinese.
       *     Improves stability for numbers.
       * @default true
       * @example true
       */
      normalize?: boolean | undefined;
      /**
       * @description The format of the generated audio.
       *     `wav` and `pcm`: 16-bit, mono, at 8000, 16000, 24000, 32000 or 44100 Hz, 44100 unless asked otherwise.
       *     `mp3`: mono, at 32000 or 44100 Hz, 44100 unless asked otherwise, with 64, 128 or 192 kbps.
       *     `opus`: mono, at 48000 Hz, with an automatic bitrate or 24, 32, 48 or 64 kbps; 32 kbps is described as its default, while the default of `opus_bitrate` is automatic.
       *     A sample rate that the format does not have is refused.
       * @default mp3
       */
      format?: components['schemas']['AudioFormat'] | undefined;
      /**
       * @description Sample rate of the audio in Hz.
       *     `wav` and `pcm` have 8000, 16000, 24000, 32000 and 44100; `mp3` has 32000 and 44100; `opus` has 48000.
       *     When null, the default of the format applies: 44100, or 48000 for `opus`.
       *     A rate of another format is refused.
       * @default null
       * @example 44100
       * @enum {integer|null}
       */
      sample_rate?: 8000 | 16000 | 24000 | 32000 | 44100 | 48000 | null | undefined;
      /**
       * @description Bitrate of `mp3` in kbps: 64, 128 or 192.
       *     Applies only when `format` is `mp3`, and is ignored for other formats.
       * @default 128
       * @example 192
       * @enum {integer}
       */
      mp3_bitrate?: 64 | 128 | 192 | undefined;
      /**
       * @description Bitrate of `opus` in bps: 24000, 32000, 48000 or 64000; -1000 chooses it automatically.
       *     Applies only when `format` is `opus`, and is ignored for other formats.
       * @default -1000
       * @example 32000
       * @enum {integer}
       */
      opus_bitrate?: -1000 | 24000 | 32000 | 48000 | 64000 | undefined;
      /**
       * @description How early the first audio should come.
       *     `normal`: the best quality.
       *     `balanced`: reduced latency, about 300 ms to the first audio; long input may be split into several text chunks.
       *     `low`: the lowest latency.
       * @default normal
       */
      latency?: components['schemas']['LatencyMode'] | undefined;
      /**
       * @description Maximum number of audio tokens generated for each text chunk.
       * @default 1024
       * @example 1024
       */
      max_new_tokens?: number | undefined;
      /**
       * @description Values above 1.0 reduce repeated audio patterns.
       * @default 1.2
       * @example 1.3
       */
      repetition_penalty?: number | undefined;
      /**
       * @description Minimum number of characters before the text is split into a new chunk, from 0 to 100.
       * @default 50
       * @example 40
       */
      min_chunk_length?: number | undefined;
      /**
       * @description Uses the audio before a chunk as context, so that the voice stays the same.
       * @default true
       * @example true
       */
      condition_on_previous_chunks?: boolean | undefined;
      /**
       * @description Threshold for stopping early in batch processing, from 0 to 1.
       * @default 1
       * @example 0.9
       */
      early_stop_threshold?: number | undefined;
    };
    /**
     * @description Audio inside a request body.
     *     Raw bytes (`bin`) in MessagePack, a base64 string in JSON.
     * @example UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQgAAAAAAAAAAAAAAA==
     */
    AudioBytes: BinaryInput;
    /**
     * @description A sample of a voice, with the words spoken in it, for cloning without training.
     *     A clean sample of about 10 to 30 seconds is recommended; its length is not enforced.
     */
    ReferenceAudio: {
      /**
       * @description The sample itself, in wav, mp3 or flac.
       *     Raw bytes (`bin`) in MessagePack, a base64 string in JSON.
       * @example UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQgAAAAAAAAAAAAAAA==
       */
      audio: components['schemas']['AudioBytes'];
      /**
       * @description The transcript of `audio`.
       * @example The lighthouse keeper counted the ships before breakfast.
       */
      text: string;
    };
    /**
     * @description One voice speaks the whole text.
     *     The voice is either a saved voice model (`reference_id`) or inline samples (`references`).
     *     Both are optional.
     */
    SingleSpeakerRequest: {
      /**
       * @description The id of a saved voice model.
       *     If `references` is sent too, our servers use that for the voice.
       * @example 802e3bc2b27e49c2995d23ef70e6ac89
       */
      reference_id?: string | undefined;
      /**
       * @description Inline samples of the voice, for cloning without training.
       *     At least one when present.
       *     Sent as MessagePack, the samples need no base64.
       */
      references?: readonly components['schemas']['ReferenceAudio'][] | undefined;
    } & components['schemas']['SynthesisSettings'];
    /**
     * @description Several saved voices speak in turn.
     *     Model `s2-pro` only.
     *     The tags `<|speaker:0|>`, `<|speaker:1|>` and so on in `text` name the voice by its place in `reference_id`.
     */
    DialogueRequest: {
      /** @description The ids of the saved voice models, in speaker order. */
      reference_id: readonly string[];
    } & components['schemas']['SynthesisSettings'];
    /**
     * @description Several voices, each given by inline samples, speak in turn.
     *     Model `s2-pro` only.
     *     The tags `<|speaker:0|>`, `<|speaker:1|>` and so on in `text` name the voice by its place in `references`.
     */
    ZeroShotDialogueRequest: {
      /** @description One identifier per speaker, in speaker order; any strings. */
      reference_id: readonly string[];
      /**
       * @description One inner array per speaker, in the order of `reference_id`, each with at least one sample.
       *     Sent as MessagePack, the samples need no base64.
       */
      references: readonly (readonly components['schemas']['ReferenceAudio'][])[];
    } & components['schemas']['SynthesisSettings'];
    /**
     * @description What to speak, and with which voice or voices.
     *     JSON and MessagePack take the same fields.
     *     Which branch a request is follows from its voices: one voice, several saved voices, or several inline voices.
     */
    SynthesisRequest: {
      /**
       * @description Single speaker: The id of a saved voice model.
       *     If `references` is sent too, our servers use that for the voice.
       *
       *     Dialogue: The ids of the saved voice models, in speaker order.
       *     Zero-shot dialogue: One identifier per speaker, in speaker order; any strings.
       */
      reference_id?: string | readonly string[] | undefined;
      /**
       * @description Single speaker: Inline samples of the voice, for cloning without training.
       *     At least one when present.
       *     Sent as MessagePack, the samples need no base64.
       *
       *     Zero-shot dialogue: One inner array per speaker, in the order of `reference_id`, each with at least one sample.
       *     Sent as MessagePack, the samples need no base64.
       */
      references?:
        | readonly components['schemas']['ReferenceAudio'][]
        | readonly (readonly components['schemas']['ReferenceAudio'][])[]
        | undefined;
    } & components['schemas']['SynthesisSettings'];
    /**
     * @description Generated audio, as bytes.
     *     The bytes are delivered while they are generated; joined, they are one complete file (or, for `pcm`, one run of samples).
     * @example (bytes of speech.mp3)
     */
    SpeechAudio: BinaryOutput;
    /**
     * @description What went wrong, in words.
     *     More fields may come.
     */
    GeneralError: {
      /**
       * @description The status of the response, once more.
       * @example 400
       */
      status: number;
      /**
       * @description What went wrong, for people.
       *     No program may depend on its words.
       * @example sample_rate 48000 is not available for wav
       */
      message: string;
      /**
       * @description The reason, if the service gives one.
       * @example null
       */
      reason?: string | null;
      /**
       * @description A short name or a number for what went wrong, if the service gives one.
       * @example null
       */
      code?: string | number | null;
    };
    /** @description One thing in a request that the specification does not allow. */
    ValidationIssue: {
      /** @description The path to the value, outermost part first. */
      loc: string[];
      /**
       * @description Kind of the issue; any string.
       * @example less_than_equal
       */
      type: string;
      /**
       * @description What is wrong, for people.
       *     No program may depend on its words.
       * @example `temperature` must be at most 1, not 2.
       */
      msg: string;
      /**
       * @description The subject of the message, as a string.
       * @example {"limit":1}
       */
      ctx: string;
      /**
       * @description The part of the request that contains the value, for example `path`.
       *     Present on the model endpoints.
       * @example path
       */
      in?: string;
    };
    /** @description Everything in a request that the specification does not allow. */
    ValidationError: components['schemas']['ValidationIssue'][];
    /**
     * @description The text-to-speech model that speaks on the timestamped stream.
     *     `s1` and `s2-pro`, the default, are the models named for the stream.
     *     Any other name is passed to the service as it is, because new models appear.
     * @default s2-pro
     * @example s2-pro
     */
    StreamSynthesisModel: ('s1' | 's2-pro') | (string & {});
    /** @description One timed piece of text. */
    AlignmentSegment: {
      /**
       * @description The spoken piece of text.
       *     A word in scripts with spaces, a character in Chinese.
       *     Punctuation is dropped and apostrophes may vanish: it is not always a substring of `content`.
       * @example tide
       */
      text: string;
      /**
       * @description Start of the piece, in seconds from the start of the audio of its text chunk.
       * @example 0.18
       */
      start: number;
      /**
       * @description End of the piece, in seconds from the start of the audio of its text chunk.
       * @example 0.71
       */
      end: number;
    };
    /**
     * @description The time at which each piece of a text chunk is spoken.
     *     A snapshot is cumulative: a later one for the same `chunk_seq` replaces it.
     */
    Alignment: {
      /**
       * @description Duration of the audio of this text chunk, in seconds.
       * @example 1.52
       */
      audio_duration: number;
      /** @description Timed text segments, in spoken order. */
      segments: components['schemas']['AlignmentSegment'][];
    };
    /** @description The payload of one event of the timestamped stream: one chunk of audio, and the latest alignment of one text chunk. */
    SpeechStreamEvent: {
      /**
       * @description One audio chunk in base64.
       *     Concatenating all decoded chunks in arrival order gives the complete audio.
       *     Chunks are transport units, not sentence or word boundaries.
       *     The audio may belong to the next text chunk already: never attribute it to `chunk_seq`.
       * @example T2dnUwACAAAAAAAAAAA=
       */
      audio_base64: string;
      /**
       * @description The text described by the latest alignment snapshot of this event.
       *     Long input can be split into several content chunks.
       * @example The tide comes in at seven.
       */
      content: string;
      /**
       * @description The latest cumulative snapshot for `chunk_seq`, replacing the one before it.
       *     Later events repeat the latest snapshot.
       *     Null before the first snapshot exists or when alignment is unavailable; a snapshot already held then stays.
       */
      alignment: components['schemas']['Alignment'] | null;
      /**
       * @description Sequence number of the text chunk that `alignment` describes.
       *     It does not decrease.
       * @example 0
       */
      chunk_seq: number;
      /**
       * @description Absolute start of this text chunk in the full audio, in seconds.
       *     It does not decrease.
       *     Added to the times of `alignment`, it gives global times.
       * @example 0
       */
      chunk_audio_offset_sec: number;
    };
    /**
     * @description One Server-Sent Event of the timestamped stream.
     *     `data` is one line holding one JSON payload.
     */
    SpeechStreamMessage: {
      /**
       * @description Always `message`, the name an event has when none is sent.
       * @default message
       * @example message
       * @constant
       */
      event?: 'message';
      /**
       * @description The payload, as JSON text on one line.
       * @example {"audio_base64":"T2dnUwACAAAAAAAAAAA=","content":"The tide comes in at seven.","alignment":null,"chunk_seq":0,"chunk_audio_offset_sec":0}
       */
      data: string;
    };
    /**
     * @description The speech-to-text model that listens, in exact lower case.
     *     `transcribe-1`, the default, is retired on 31 December 2026; a request without a model is served by its successor then.
     *     `transcribe-1-pro` also tells speakers apart and marks audio events.
     *     Any other name is passed to the service as it is, because new models appear.
     * @default transcribe-1
     * @example transcribe-1-pro
     */
    TranscriptionModel: ('transcribe-1' | 'transcribe-1-pro') | (string & {});
    /**
     * @description The raw bytes of one audio file.
     *     A file part in multipart, raw bytes (`bin`) in MessagePack.
     * @example (bytes of recording.wav)
     */
    AudioFile: BinaryInput;
    /** @description One recording to transcribe. */
    TranscriptionRequest: {
      /**
       * @description The raw bytes of one audio file, in wav, mp3, opus or another common format.
       *     At most 20 MB, and from 1 second to 60 minutes of audio, both inclusive.
       *     Longer recordings are split by the client; segment times are then offset by the start of each part.
       *     Anything beyond is refused.
       * @example (bytes of interview.mp3)
       */
      audio: components['schemas']['AudioFile'];
      /**
       * @description ISO code of the spoken language, such as `en`, `zh` or `ja`.
       *     Detected when left out.
       *     Pinning it improves accuracy on short or noisy clips.
       * @example en
       */
      language?: string | undefined;
      /**
       * @description Whether to leave out timed segments.
       *     Send false to receive them.
       *     Precise timestamps cost latency on audio under 30 seconds.
       * @default true
       * @example false
       */
      ignore_timestamps?: boolean | undefined;
      /**
       * @description Whether the text holds cues such as `[laughter]`.
       *     Read by `transcribe-1-pro` alone.
       * @default true
       * @example false
       */
      tag_audio_events?: boolean | undefined;
      /**
       * @description Whether speakers are told apart; `auto` leaves it to the service.
       *     Read by `transcribe-1-pro` alone.
       * @example auto
       */
      diarize?: boolean | 'auto' | undefined;
      /**
       * @description How many people speak, if it is known.
       *     Read by `transcribe-1-pro` alone.
       * @example 2
       */
      num_speakers?: number | undefined;
      /**
       * @description The smallest number of people who may speak.
       *     Read by `transcribe-1-pro` alone.
       * @example 2
       */
      min_speakers?: number | undefined;
      /**
       * @description The largest number of people who may speak.
       *     Read by `transcribe-1-pro` alone.
       * @example 4
       */
      max_speakers?: number | undefined;
    };
    /** @description One timed piece of a transcription. */
    TranscriptionSegment: {
      /**
       * @description What was said.
       * @example The tide comes in at seven.
       */
      text: string;
      /**
       * @description Start of the piece, in seconds from the start of the recording.
       * @example 0
       */
      start: number;
      /**
       * @description End of the piece, in seconds from the start of the recording.
       * @example 1.52
       */
      end: number;
    };
    /** @description What one speaker says without a break. */
    SpeakerTurn: {
      /**
       * @description The speaker, such as `speaker:0`.
       *     The number holds within one answer; speaker 0 of another answer is somebody else.
       * @example speaker:0
       */
      speaker: string;
      /**
       * @description What was said.
       * @example The tide comes in at seven.
       */
      text: string;
      /**
       * @description Start of the turn, in seconds from the start of the recording.
       * @example 0
       */
      start: number;
      /**
       * @description End of the turn, in seconds from the start of the recording.
       * @example 1.52
       */
      end: number;
    };
    /**
     * @description The words of a recording.
     *     More fields may come.
     */
    Transcription: {
      /**
       * @description Everything that was said.
       *     `transcribe-1-pro` may put `<|speaker:0|>` before each turn, and cues such as `[laughter]`.
       * @example The tide comes in at seven.
       */
      text: string;
      /**
       * @description Duration of the recording, in seconds.
       * @example 1.52
       */
      duration: number;
      /**
       * @description Timed pieces of the text, without the marks of speakers and cues.
       *     An empty array when timestamps are ignored; it may be empty, too, when the times cannot be found.
       */
      segments: components['schemas']['TranscriptionSegment'][];
      /**
       * @description ISO 639-1 code of the language that was detected, if the service reports it.
       * @example en
       */
      language_code?: string;
      /**
       * @description Name of the language that was detected, for people.
       * @example English
       */
      language?: string;
      /**
       * @description Who speaks when.
       *     Present only if timestamps were asked for and speakers were told apart.
       */
      speaker_turns?: components['schemas']['SpeakerTurn'][];
      /**
       * @description Id of the request, as in the header `x-request-id`.
       * @example 0b6f4c1e-7d2a-4e8b-9f3c-5a1d2e3f4b6c
       */
      request_id?: string;
    };
    /**
     * @description What a voice model is for.
     *     `tts`: text to speech.
     *     `svc`: another use, which is not part of this interface.
     * @example tts
     * @enum {string}
     */
    VoiceModelType: 'svc' | 'tts';
    /**
     * @description How far the training of a voice model has come.
     *     A model made with `fast` is `trained` as soon as it is created.
     * @example trained
     * @enum {string}
     */
    VoiceModelState: 'created' | 'training' | 'trained' | 'failed';
    /**
     * @description The users who can find a voice model.
     *     `public`: everybody.
     *     `unlist`: everyone with its id.
     *     `private`: its author.
     * @example private
     * @enum {string}
     */
    Visibility: 'public' | 'unlist' | 'private';
    /** @description The user who created a voice model. */
    VoiceModelAuthor: {
      /**
       * @description Id of the author.
       * @example 5f8d04b3ab35de3a3427d9f3
       */
      _id: string;
      /**
       * @description Name the author goes by.
       * @example harbour
       */
      nickname: string;
      /**
       * @description Picture of the author.
       * @example avatars/harbour.png
       */
      avatar: string;
    };
    /**
     * @description How a voice model is trained.
     *     `fast`: usable at once.
     *     `full`: trained over some time.
     * @example fast
     * @enum {string}
     */
    TrainMode: 'fast' | 'full';
    /** @description A sample of what a voice sounds like. */
    VoiceModelSample: {
      /**
       * @description Title of the sample.
       * @example Weather report
       */
      title?: string;
      /**
       * @description Text that is spoken in the sample.
       * @example Rain from the west until noon.
       */
      text?: string;
      /**
       * @description Id of the task that generated the sample.
       * @example 8c1f9b8f0a4c4f5f9d0f7a3e2b6c1d00
       */
      task_id?: string;
      /**
       * @description Address of the audio of the sample.
       * @example https://speech.example/samples/weather-report.mp3
       */
      audio?: string;
    };
    /** @description How good one recording is. */
    VoiceModelQualityAudio: {
      /**
       * @description Name of the recording.
       * @example harbour-1.wav
       */
      filename?: string;
      /**
       * @description Duration of the recording, in milliseconds.
       * @example 14200
       */
      duration_ms?: number;
      /**
       * @description Language spoken in the recording.
       * @default unknown
       * @example en
       */
      language?: string;
      /** @description Metrics by their name, each a number. */
      quality?: {
        [key: string]: number;
      };
      /**
       * @description Whether the recording is good enough.
       * @default false
       * @example true
       */
      quality_passed?: boolean;
      /**
       * @description Why the recording is not good enough.
       * @default ''
       */
      quality_reason?: string;
    };
    /** @description How good the recordings of a voice model are. */
    VoiceModelQuality: {
      /**
       * Format: date-time
       * @description When the recordings were first judged.
       * @example 2026-03-01T09:30:00Z
       */
      created_at?: string;
      /**
       * Format: date-time
       * @description When the recordings were last judged.
       * @example 2026-03-01T09:31:00Z
       */
      updated_at?: string;
      /** @description One entry a recording. */
      audios?: components['schemas']['VoiceModelQualityAudio'][];
    };
    /**
     * @description A saved voice.
     *     Its `_id` is what `reference_id` of a synthesis request names.
     */
    VoiceModel: {
      /**
       * @description Id of the voice model.
       * @example 802e3bc2b27e49c2995d23ef70e6ac89
       */
      _id: string;
      /**
       * @description What a voice model is for.
       *     `tts`: text to speech.
       *     `svc`: another use, which is not part of this interface.
       */
      type: components['schemas']['VoiceModelType'] | (string & {});
      /**
       * @description Name of the voice.
       * @example Harbour at dawn
       */
      title: string;
      /**
       * @description How far the training of a voice model has come.
       *     A model made with `fast` is `trained` as soon as it is created.
       */
      state: components['schemas']['VoiceModelState'] | (string & {});
      /** @description Words by which the voice can be found. */
      tags: string[];
      /**
       * Format: date-time
       * @description When the voice model was created.
       * @example 2026-03-01T09:30:00Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the voice model was last changed.
       * @example 2026-03-02T10:00:00Z
       */
      updated_at: string;
      /**
       * @description The users who can find a voice model.
       *     `public`: everybody.
       *     `unlist`: everyone with its id.
       *     `private`: its author.
       */
      visibility: components['schemas']['Visibility'] | (string & {});
      /**
       * @description Number of likes.
       * @example 12
       */
      like_count: number;
      /**
       * @description Number of marks.
       * @example 3
       */
      mark_count: number;
      /**
       * @description Number of shares.
       * @example 1
       */
      shared_count: number;
      /**
       * @description Number of tasks.
       * @example 240
       */
      task_count: number;
      /** @description The user who created a voice model. */
      author: components['schemas']['VoiceModelAuthor'];
      /**
       * @description What the voice is like.
       * @default ''
       * @example A calm voice for stories about the sea.
       */
      description?: string;
      /**
       * @description Picture of the voice.
       * @default ''
       * @example covers/harbour-at-dawn.png
       */
      cover_image?: string;
      /**
       * @description How the voice model was trained.
       * @default full
       * @example full
       */
      train_mode?: components['schemas']['TrainMode'] | (string & {});
      /**
       * @description Samples of what the voice sounds like.
       * @default []
       */
      samples?: components['schemas']['VoiceModelSample'][];
      /**
       * @description Languages the voice speaks.
       * @default []
       */
      languages?: string[];
      /**
       * @description Whether the visibility is locked.
       * @default false
       * @example false
       */
      lock_visibility?: boolean;
      /**
       * @description Whether the voice was taken down under the DMCA.
       * @default false
       * @example false
       */
      dmca_taken_down?: boolean | null;
      /**
       * @description Default text of the voice model.
       * @default ''
       * @example The tide comes in at seven.
       */
      default_text?: string;
      /**
       * @description Source of the voice model.
       * @example upload
       */
      source?: string | null;
      /**
       * @description How good the recordings of the voice are, if they were judged.
       * @example null
       */
      quality?: components['schemas']['VoiceModelQuality'] | null;
      /**
       * @description Whether the caller has unliked the voice.
       * @default false
       * @example false
       */
      unliked?: boolean;
      /**
       * @description Whether the caller has liked the voice.
       * @default false
       * @example true
       */
      liked?: boolean;
      /**
       * @description Whether the caller has marked the voice.
       * @default false
       * @example false
       */
      marked?: boolean;
    };
    /** @description One page of voice models. */
    VoiceModelList: {
      /**
       * @description How many voice models match the filters, on all pages.
       * @example 1
       */
      total: number;
      /** @description The voice models of this page. */
      items: components['schemas']['VoiceModel'][];
      /**
       * @description Whether another page follows.
       *     May be null; `total` says then whether more voice models remain.
       * @example false
       */
      has_more: boolean | null;
      /**
       * @description The furthest place in the list that can be read.
       * @example 10000
       */
      max_offset?: number | null;
      /**
       * @description How many of the voice models the account can read.
       * @example 1000
       */
      accessible_upper_bound?: number | null;
      /**
       * @description Whether the account can read only a part of the list.
       * @example false
       */
      window_limited?: boolean | null;
      /**
       * @description Whether `total` is exact rather than an estimate.
       * @example true
       */
      total_is_exact?: boolean | null;
    };
    /**
     * @description Everything in a request to a model endpoint that the specification does not allow.
     *     Each issue says in which part of the request it stands.
     */
    ModelValidationError: WithRequired<components['schemas']['ValidationIssue'], 'in'>[];
    /** @description The title of a new voice model and how it is made, in any encoding. */
    CreateModelSettings: {
      /**
       * @description What the voice model is for; only `tts` can be created.
       * @example tts
       * @constant
       */
      type: 'tts';
      /**
       * @description Name of the voice.
       * @example Harbour at dawn
       */
      title: string;
      /**
       * @description How the voice model is trained.
       *     `fast` makes it usable at once; not every service takes `full`.
       * @example fast
       */
      train_mode: components['schemas']['TrainMode'];
      /**
       * @description Transcripts of `voices`, in the same order; at most 20.
       *     When left out, the service transcribes the recordings itself.
       */
      texts?: readonly string[] | undefined;
      /**
       * @description The users who can find the voice model.
       *     A public one needs `cover_image`.
       * @default public
       * @example private
       */
      visibility?: components['schemas']['Visibility'] | undefined;
      /**
       * @description What the voice is like.
       * @example A calm voice for stories about the sea.
       */
      description?: string | undefined;
      /** @description Words by which the voice can be found. */
      tags?: readonly string[] | undefined;
      /**
       * @description Cleans the recordings before they are used.
       * @default true
       * @example true
       */
      enhance_audio_quality?: boolean | undefined;
      /**
       * @description Generates a sample of the new voice.
       * @default false
       * @example false
       */
      generate_sample?: boolean | undefined;
    };
    /**
     * @description The raw bytes of one image file, as a file part in multipart.
     * @example (bytes of cover.png)
     */
    ImageFile: BinaryInput;
    /**
     * @description A new voice model, as a multipart form.
     *     `voices`, `texts` and `tags` are repeated, one part an entry.
     */
    CreateModelForm: {
      /** @description One recording of the voice, or 1 to 20 of them, one file part each. */
      voices: components['schemas']['AudioFile'] | readonly components['schemas']['AudioFile'][];
      /**
       * @description Picture of the voice, as a file part.
       *     Required when the voice model is public, which it is unless `visibility` says otherwise.
       * @example (bytes of cover.png)
       */
      cover_image?: components['schemas']['ImageFile'] | undefined;
    } & components['schemas']['CreateModelSettings'];
    /**
     * @description An image inside a request body.
     *     Raw bytes (`bin`) in MessagePack, a base64 string in JSON.
     * @example iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
     */
    ImageBytes: BinaryInput;
    /** @description A new voice model, in JSON or MessagePack. */
    CreateModelRequest: {
      /** @description One recording of the voice, or 1 to 20 of them. */
      voices: components['schemas']['AudioBytes'] | readonly components['schemas']['AudioBytes'][];
      /**
       * @description Picture of the voice.
       *     Required when the voice model is public, which it is unless `visibility` says otherwise.
       * @example iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
       */
      cover_image?: components['schemas']['ImageBytes'] | undefined;
    } & components['schemas']['CreateModelSettings'];
    /**
     * @description What changes on a voice model.
     *     Every field is optional; a field that is absent or null stays as it is.
     */
    UpdateModelRequest: {
      /**
       * @description New name of the voice.
       * @example Harbour at dusk
       */
      title?: string | null | undefined;
      /**
       * @description New words on what the voice is like.
       * @example A calm voice for stories about the evening.
       */
      description?: string | null | undefined;
      /**
       * @description New picture of the voice.
       * @example covers/harbour-at-dusk.png
       */
      cover_image?: string | null | undefined;
      /**
       * @description New words the voice is found by; they replace all old ones.
       *     An array of strings, or one string.
       */
      tags?: readonly string[] | string | null | undefined;
      /**
       * @description The users who can find the voice model from now on.
       * @example unlist
       */
      visibility?: components['schemas']['Visibility'] | null | undefined;
    };
    /** @description The credit that is left on the account for calls of the API. */
    ApiCredit: {
      /**
       * @description Id of the credit entry.
       * @example 64b7f0c2e4b0a1a2b3c4d5e6
       */
      _id: string;
      /**
       * @description Id of the user who owns the credit.
       * @example 5f8d04b3ab35de3a3427d9f3
       */
      user_id: string;
      /**
       * @description What is left, as a decimal number in a string.
       *     Its unit and precision are not documented: never turn it into a floating-point number silently.
       * @example 12.345678
       */
      credit: string;
      /**
       * Format: date-time
       * @description When the credit entry was created.
       * @example 2026-01-15T08:00:00Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the credit last changed.
       * @example 2026-03-02T10:00:00Z
       */
      updated_at: string;
      /**
       * @description Whether the hash of a phone number is stored for the user.
       * @example false
       */
      has_phone_sha256: boolean;
      /**
       * @description Whether the user has free credit.
       * @example true
       */
      has_free_credit: boolean;
      /**
       * @description Everything that was ever paid in, as a decimal number in a string.
       * @example 25.00
       */
      cumulative_top_up?: string;
    };
    /** @description The package of a user. */
    Package: {
      /**
       * @description Id of the package.
       * @example 64b7f0c2e4b0a1a2b3c4d5e7
       */
      _id?: string;
      /**
       * @description Id of the user who owns the package.
       * @example 5f8d04b3ab35de3a3427d9f3
       */
      user_id: string;
      /**
       * @description Kind of package; any string.
       * @example monthly
       */
      type: string;
      /**
       * @description Total of the package.
       * @example 200000
       */
      total: number;
      /**
       * @description The part of the package that is left.
       * @example 148200
       */
      balance: number;
      /**
       * Format: date-time
       * @description When the package was created.
       * @example 2026-03-01T00:00:00Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the package last changed.
       * @example 2026-03-02T10:00:00Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When the package is finished.
       * @example 2026-04-01T00:00:00Z
       */
      finished_at: string;
      /**
       * @description Id of the subscription at the payment processor.
       * @example subscription-1042
       */
      payment_subscription_id?: string | null;
      /**
       * @description Id of the price at the payment processor.
       * @example price-7
       */
      payment_price_id?: string | null;
      /**
       * @description How often the package is billed; any string.
       * @example month
       */
      billing_period?: string | null;
      /**
       * Format: date-time
       * @description When the current period ends.
       * @example 2026-04-01T00:00:00Z
       */
      current_period_end?: string | null;
      /**
       * @description Whether the package is cancelled at the end of the current period.
       * @example false
       */
      cancel_at_period_end?: boolean | null;
      /**
       * Format: date-time
       * @description When the package is cancelled.
       * @example null
       */
      cancel_at?: string | null;
      /**
       * @description A change that is due; any object.
       * @example null
       */
      scheduled_change?: Record<string, unknown> | null;
      /**
       * Format: date-time
       * @description When the package was last synchronised.
       * @example 2026-03-02T10:00:00Z
       */
      last_synced_at?: string | null;
      /**
       * @description Balance besides that of the package.
       * @default 0
       * @example 0
       */
      extra_balance?: number | null;
      /**
       * @description Whether the user has used a trial.
       * @default false
       * @example true
       */
      has_used_trial?: boolean;
    };
    /**
     * @description Opens the session: how to speak, and usually no text yet.
     *     First, and once before each `finish`.
     *     Its `request` has every field that an ordinary call has; `text` may be empty, since the words follow in `text` messages.
     */
    StartMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'start';
      request: components['schemas']['SynthesisRequest'];
    };
    /**
     * @description More text to speak, any number of times between `start` and `stop`.
     *     The server collects it and speaks by `chunk_length`.
     */
    TextMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'text';
      /**
       * @description The next words of the text; a blank between words is part of it.
       *     May be empty.
       * @example The tide comes in
       */
      text: string;
    };
    /** @description Speaks what the server has collected so far, without waiting for more. */
    FlushMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'flush';
    };
    /**
     * @description There is no more text.
     *     The server speaks the rest and answers with `finish`.
     */
    StopMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'stop';
    };
    /**
     * @description A piece of the audio.
     *     The pieces come in order; joined, they are the complete audio in the format of `start`.
     */
    AudioMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'audio';
      /** @description The bytes, as MessagePack binary. */
      audio: Uint8Array;
    };
    /**
     * @description A piece of the audio, with the latest alignment of one text chunk.
     *     The last one may have empty audio and a corrected alignment.
     */
    TimedAudioMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'audio';
      /** @description The bytes, as MessagePack binary. */
      audio: Uint8Array;
      /**
       * @description The text that `alignment` describes.
       * @example Fresh bread and two cups of tea.
       */
      content?: string;
      /**
       * @description The latest cumulative snapshot for `chunk_seq`, replacing the one before it.
       *     Null keeps the earlier one.
       */
      alignment?: components['schemas']['Alignment'] | null;
      /**
       * @description Sequence number of the text chunk that `alignment` describes.
       * @example 0
       */
      chunk_seq?: number;
      /**
       * @description Absolute start of this text chunk in the full audio, in seconds.
       * @example 1.25
       */
      chunk_audio_offset_sec?: number;
    };
    /**
     * @description The end of the session, once, after `stop`.
     *     The server may then close, or wait for another `start` on the same socket.
     */
    FinishMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'finish';
      /**
       * @description `stop` when all the text was spoken, `error` when it could not be.
       *     Other values count as an end, too.
       * @example stop
       */
      reason: ('stop' | 'error') | (string & {});
      /**
       * @description A description of the problem, for people to read; may be left out.
       * @example The voice could not be loaded.
       */
      message?: string;
      /**
       * @description How long the session took; may be left out, and its unit is not known.
       * @example 4.2
       */
      time?: number;
    };
    /**
     * @description A refused request.
     *     The socket closes after it.
     */
    ErrorMessage: {
      /**
       * @description Tells messages apart.
       * @constant
       */
      event: 'error';
      /**
       * @description A description of the problem, for people to read.
       * @example Too many sessions are open.
       */
      error: string;
      /**
       * @description The HTTP status that an ordinary call would be refused with; may be left out.
       *     402 tells that the credit has run out while the text was coming.
       * @example 402
       */
      status?: number;
      /**
       * @description The number of sessions that the account may have open; present if that was the reason.
       * @example 5
       */
      max_concurrency?: number;
    };
  };
  responses: {
    /** @description The fields are valid on their own but not together, such as a sample rate that the format does not have. */
    BadRequest: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The key is missing or unknown. */
    Unauthorized: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        /** @description How to authenticate; always with a bearer key. */
        'www-authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /**
     * @description The account has no credit left, which is checked before the parameters.
     *     Or it has less credit than the request costs, which is checked last.
     */
    PaymentRequired: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The key may not do this. */
    Forbidden: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The body, or the file in it, is too large. */
    PayloadTooLarge: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The body has a media type that this operation does not take. */
    UnsupportedMediaType: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /**
     * @description The request does not keep to the specification.
     *     Some services answer 400 with the general body instead: read an error by the shape of its body.
     */
    ValidationFailed: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /**
     * @description Too many requests of the account run at the same time.
     *     The limit counts concurrent requests, not requests per second.
     */
    TooManyRequests: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        /**
         * @description How many requests of the account may run at the same time.
         *     Tiers of 5, 15 and 50 are known.
         */
        'ratelimit-limit-concurrency'?: number;
        /** @description How many requests of the account are running now. */
        'ratelimit-current-concurrency'?: number;
        /**
         * @description After how many seconds to try again.
         *     Often left out.
         */
        'retry-after'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /**
     * @description The service failed.
     *     Other statuses from 500 on mean the same.
     */
    ServerFault: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The service is overloaded. */
    ServiceOverloaded: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        /**
         * @description After how many seconds to try again.
         *     Often left out.
         */
        'retry-after'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /** @description The request is not a valid upgrade to a WebSocket, which is all that this address offers. */
    UpgradeRequired: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        /** @description The protocol of the connection from now on. */
        upgrade?: 'websocket';
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
    /**
     * @description The request does not keep to the specification.
     *     On the model endpoints each issue also says in which part of the request it stands.
     */
    ModelValidationFailed: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ModelValidationError'];
      };
    };
    /** @description Nothing has this id. */
    NotFound: {
      headers: {
        /**
         * @description Trace id of the request, as 32 hexadecimal digits.
         *     If something went wrong, report it to the operator of the service.
         */
        'x-trace-id'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['GeneralError'];
      };
    };
  };
  parameters: {
    /**
     * @description The text-to-speech model that speaks.
     *     Required; it selects the model and has nothing to do with authentication.
     * @example s2-pro
     */
    ModelHeader: components['schemas']['SynthesisModel'];
    /**
     * @description W3C trace context, in the shape `00-<trace-id>-<parent-id>-<trace-flags>`.
     *     When valid, the service continues that trace id in its own spans; when left out or invalid, it starts a new trace.
     *     It does not change authentication, rate limits, billing, priority or the generated output.
     *     Several calls of one workflow share the trace id and use a fresh parent id each.
     *     It must not carry user identifiers or secrets.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    TraceParent: string;
    /**
     * @description The text-to-speech model that speaks on the timestamped stream.
     *     Required; it selects the model and has nothing to do with authentication.
     * @example s2-pro
     */
    StreamModelHeader: components['schemas']['StreamSynthesisModel'];
    /**
     * @description The protocol to change to.
     * @example websocket
     */
    Upgrade: 'websocket';
    /**
     * @description Names `Upgrade`.
     * @example Upgrade
     */
    Connection: string;
    /**
     * @description A fresh random value of 16 bytes in base64.
     * @example dGhlIHNhbXBsZSBub25jZQ==
     */
    WebSocketKey: string;
    /**
     * @description The version of the WebSocket protocol.
     * @example 13
     */
    WebSocketVersion: '13';
    /**
     * @description The speech-to-text model that listens.
     *     Optional; as a field of the body it is ignored.
     * @example transcribe-1-pro
     */
    TranscriptionModelHeader: components['schemas']['TranscriptionModel'];
    /**
     * @description Number of voice models per page, at least 1.
     *     A page holds at most 100; a larger number is answered with 100 and `has_more`, and not refused.
     * @example 20
     */
    PageSize: number;
    /**
     * @description Which page to read, at least 1.
     * @example 2
     */
    PageNumber: number;
    /**
     * @description Only voice models with this in their title.
     * @example harbour
     */
    TitleFilter: string;
    /**
     * @description Only voice models with this tag.
     *     May be repeated.
     */
    TagFilter: readonly string[];
    /**
     * @description Only voice models created by the caller.
     * @example true
     */
    SelfFilter: boolean;
    /**
     * @description Only voice models that are licensed, or only those that are not.
     * @example true
     */
    LicensedFilter: boolean;
    /**
     * @description Only voice models of this author.
     *     Ignored when `self` is true.
     * @example 5f8d04b3ab35de3a3427d9f3
     */
    AuthorFilter: string;
    /**
     * @description Only voice models that speak this language.
     *     May be repeated.
     */
    LanguageFilter: readonly string[];
    /**
     * @description Only voice models whose title is in this language.
     *     May be repeated.
     */
    TitleLanguageFilter: readonly string[];
    /**
     * @description What the voice models are sorted by.
     * @example created_at
     */
    SortOrder: 'score' | 'task_count' | 'created_at';
    /**
     * @description Id of the voice model.
     * @example 802e3bc2b27e49c2995d23ef70e6ac89
     */
    VoiceModelId: string;
    /**
     * @description A user id, or `self` for the caller.
     * @example self
     */
    CreditUserId: string;
    /**
     * @description A user id, or `self` for the caller.
     *     Clients send `self` if their user gives no id.
     * @example self
     */
    PackageUserId: string;
  };
  requestBodies: {
    /**
     * @description What to speak, and with which voice or voices.
     *     JSON and MessagePack take the same fields; MessagePack carries audio without base64.
     *     The interface gives no limit; the servers of this repository refuse a body above 64 MiB with 413.
     */
    SynthesisBody: {
      content: {
        'application/json': components['schemas']['SynthesisRequest'];
        'application/msgpack': components['schemas']['SynthesisRequest'];
      };
    };
    /**
     * @description One audio file to transcribe, as a multipart form or in MessagePack; JSON is not accepted.
     *     The file has at most 20 MB, and from 1 second to 60 minutes of audio.
     */
    TranscriptionBody: {
      content: {
        'multipart/form-data': components['schemas']['TranscriptionRequest'];
        'application/msgpack': components['schemas']['TranscriptionRequest'];
      };
    };
    /**
     * @description A new voice model: 1 to 20 recordings and what they are called.
     *     The interface gives no limit; the servers of this repository refuse a body above 64 MiB with 413.
     */
    CreateModelBody: {
      content: {
        'multipart/form-data': components['schemas']['CreateModelForm'];
        'application/msgpack': components['schemas']['CreateModelRequest'];
        'application/json': components['schemas']['CreateModelRequest'];
      };
    };
    /**
     * @description What changes on the voice model; what is left out stays.
     *     The interface gives no limit; the servers of this repository refuse a body above 64 MiB with 413.
     */
    UpdateModelBody: {
      content: {
        'application/json': components['schemas']['UpdateModelRequest'];
        'application/x-www-form-urlencoded': components['schemas']['UpdateModelRequest'];
        'multipart/form-data': components['schemas']['UpdateModelRequest'];
        'application/msgpack': components['schemas']['UpdateModelRequest'];
      };
    };
  };
  headers: {
    /**
     * @description The body comes in chunks, while it is made.
     *     Absent on HTTP/2, which has its own frames.
     */
    IncrementalDelivery: 'chunked';
    /**
     * @description Trace id of the request, as 32 hexadecimal digits.
     *     If something went wrong, report it to the operator of the service.
     */
    TraceId: string;
    /**
     * @description How many requests of the account may run at the same time.
     *     Tiers of 5, 15 and 50 are known.
     */
    RateLimitLimitConcurrency: number;
    /** @description How many requests of the account are running now. */
    RateLimitCurrentConcurrency: number;
    /** @description How to authenticate; always with a bearer key. */
    Authenticate: string;
    /**
     * @description After how many seconds to try again.
     *     Often left out.
     */
    RetryAfter: number;
    /**
     * @description The body comes in chunks, while it is made.
     *     Absent on HTTP/2, which has its own frames.
     */
    TransferEncoding: 'chunked';
    /** @description The protocol of the connection from now on. */
    Upgrade: 'websocket';
    /** @description Names `Upgrade`. */
    Connection: string;
    /** @description The answer to `Sec-WebSocket-Key`. */
    WebSocketAccept: string;
    /**
     * @description Id of the request, as in the field `request_id` of the answer.
     *     If something went wrong, report it to the operator of the service.
     */
    RequestId: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  createSpeech: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The text-to-speech model that speaks.
         *     Required; it selects the model and has nothing to do with authentication.
         * @example s2-pro
         */
        model: components['parameters']['ModelHeader'];
        /**
         * @description W3C trace context, in the shape `00-<trace-id>-<parent-id>-<trace-flags>`.
         *     When valid, the service continues that trace id in its own spans; when left out or invalid, it starts a new trace.
         *     It does not change authentication, rate limits, billing, priority or the generated output.
         *     Several calls of one workflow share the trace id and use a fresh parent id each.
         *     It must not carry user identifiers or secrets.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceParent'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['SynthesisBody'];
    responses: {
      /**
       * @description The generated audio, in the format that was asked for, delivered while it is generated.
       *     A `wav` header is written before the length is known: trust the bytes, not the sizes in it.
       *     A service may call the audio `application/octet-stream`; it is the format that was asked for all the same.
       */
      200: {
        headers: {
          /**
           * @description The body comes in chunks, while it is made.
           *     Absent on HTTP/2, which has its own frames.
           */
          'transfer-encoding'?: 'chunked';
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          /**
           * @description How many requests of the account may run at the same time.
           *     Tiers of 5, 15 and 50 are known.
           */
          'ratelimit-limit-concurrency'?: number;
          /** @description How many requests of the account are running now. */
          'ratelimit-current-concurrency'?: number;
          [name: string]: unknown;
        };
        content: {
          'audio/mpeg': components['schemas']['SpeechAudio'];
          'audio/wav': components['schemas']['SpeechAudio'];
          'audio/ogg': components['schemas']['SpeechAudio'];
          'audio/pcm': components['schemas']['SpeechAudio'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  streamSpeechWithTimestamps: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The text-to-speech model that speaks on the timestamped stream.
         *     Required; it selects the model and has nothing to do with authentication.
         * @example s2-pro
         */
        model: components['parameters']['StreamModelHeader'];
        /**
         * @description W3C trace context, in the shape `00-<trace-id>-<parent-id>-<trace-flags>`.
         *     When valid, the service continues that trace id in its own spans; when left out or invalid, it starts a new trace.
         *     It does not change authentication, rate limits, billing, priority or the generated output.
         *     Several calls of one workflow share the trace id and use a fresh parent id each.
         *     It must not carry user identifiers or secrets.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceParent'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['SynthesisBody'];
    responses: {
      /**
       * @description Server-Sent Events, sent while the audio is generated.
       *     Each `message` event carries one line that starts with `data: `, followed by one JSON payload.
       *     The end of the body is the end of the stream; there is no marker event.
       *     If the connection breaks, the stream is incomplete; only a clean end of the body is its end.
       */
      200: {
        headers: {
          /**
           * @description The body comes in chunks, while it is made.
           *     Absent on HTTP/2, which has its own frames.
           */
          'transfer-encoding'?: 'chunked';
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          /**
           * @description How many requests of the account may run at the same time.
           *     Tiers of 5, 15 and 50 are known.
           */
          'ratelimit-limit-concurrency'?: number;
          /** @description How many requests of the account are running now. */
          'ratelimit-current-concurrency'?: number;
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['SpeechStreamEvent'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  openLiveSession: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The text-to-speech model that speaks.
         *     Required; it selects the model and has nothing to do with authentication.
         * @example s2-pro
         */
        model: components['parameters']['ModelHeader'];
        /**
         * @description W3C trace context, in the shape `00-<trace-id>-<parent-id>-<trace-flags>`.
         *     When valid, the service continues that trace id in its own spans; when left out or invalid, it starts a new trace.
         *     It does not change authentication, rate limits, billing, priority or the generated output.
         *     Several calls of one workflow share the trace id and use a fresh parent id each.
         *     It must not carry user identifiers or secrets.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceParent'] | undefined;
        /**
         * @description The protocol to change to.
         * @example websocket
         */
        Upgrade: components['parameters']['Upgrade'];
        /**
         * @description Names `Upgrade`.
         * @example Upgrade
         */
        Connection: components['parameters']['Connection'];
        /**
         * @description A fresh random value of 16 bytes in base64.
         * @example dGhlIHNhbXBsZSBub25jZQ==
         */
        'Sec-WebSocket-Key': components['parameters']['WebSocketKey'];
        /**
         * @description The version of the WebSocket protocol.
         * @example 13
         */
        'Sec-WebSocket-Version': components['parameters']['WebSocketVersion'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /**
       * @description The connection is a WebSocket from here on.
       *     The upgrade is that of HTTP/1.1.
       */
      101: {
        headers: {
          /** @description The protocol of the connection from now on. */
          upgrade?: 'websocket';
          /** @description Names `Upgrade`. */
          connection?: string;
          /** @description The answer to `Sec-WebSocket-Key`. */
          'sec-websocket-accept'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components['responses']['Unauthorized'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      422: components['responses']['ValidationFailed'];
      426: components['responses']['UpgradeRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  createTranscription: {
    parameters: {
      query?: never;
      header?:
        | {
            /**
             * @description The speech-to-text model that listens.
             *     Optional; as a field of the body it is ignored.
             * @example transcribe-1-pro
             */
            model?: components['parameters']['TranscriptionModelHeader'] | undefined;
            /**
             * @description W3C trace context, in the shape `00-<trace-id>-<parent-id>-<trace-flags>`.
             *     When valid, the service continues that trace id in its own spans; when left out or invalid, it starts a new trace.
             *     It does not change authentication, rate limits, billing, priority or the generated output.
             *     Several calls of one workflow share the trace id and use a fresh parent id each.
             *     It must not carry user identifiers or secrets.
             * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
             */
            traceparent?: components['parameters']['TraceParent'] | undefined;
          }
        | undefined;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['TranscriptionBody'];
    responses: {
      /** @description The words of the recording. */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          /**
           * @description Id of the request, as in the field `request_id` of the answer.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-request-id'?: string;
          /**
           * @description How many requests of the account may run at the same time.
           *     Tiers of 5, 15 and 50 are known.
           */
          'ratelimit-limit-concurrency'?: number;
          /** @description How many requests of the account are running now. */
          'ratelimit-current-concurrency'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Transcription'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  listModels: {
    parameters: {
      query?:
        | {
            /**
             * @description Number of voice models per page, at least 1.
             *     A page holds at most 100; a larger number is answered with 100 and `has_more`, and not refused.
             * @example 20
             */
            page_size?: components['parameters']['PageSize'] | undefined;
            /**
             * @description Which page to read, at least 1.
             * @example 2
             */
            page_number?: components['parameters']['PageNumber'] | undefined;
            /**
             * @description Only voice models with this in their title.
             * @example harbour
             */
            title?: components['parameters']['TitleFilter'] | undefined;
            /**
             * @description Only voice models with this tag.
             *     May be repeated.
             */
            tag?: components['parameters']['TagFilter'] | undefined;
            /**
             * @description Only voice models created by the caller.
             * @example true
             */
            self?: components['parameters']['SelfFilter'] | undefined;
            /**
             * @description Only voice models that are licensed, or only those that are not.
             * @example true
             */
            licensed?: components['parameters']['LicensedFilter'] | undefined;
            /**
             * @description Only voice models of this author.
             *     Ignored when `self` is true.
             * @example 5f8d04b3ab35de3a3427d9f3
             */
            author_id?: components['parameters']['AuthorFilter'] | undefined;
            /**
             * @description Only voice models that speak this language.
             *     May be repeated.
             */
            language?: components['parameters']['LanguageFilter'] | undefined;
            /**
             * @description Only voice models whose title is in this language.
             *     May be repeated.
             */
            title_language?: components['parameters']['TitleLanguageFilter'] | undefined;
            /**
             * @description What the voice models are sorted by.
             * @example created_at
             */
            sort_by?: components['parameters']['SortOrder'] | undefined;
          }
        | undefined;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of voice models. */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VoiceModelList'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['ModelValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  createModel: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['CreateModelBody'];
    responses: {
      /** @description The new voice model. */
      201: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VoiceModel'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ModelValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  getModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Id of the voice model.
         * @example 802e3bc2b27e49c2995d23ef70e6ac89
         */
        id: components['parameters']['VoiceModelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The voice model. */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VoiceModel'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ModelValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  deleteModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Id of the voice model.
         * @example 802e3bc2b27e49c2995d23ef70e6ac89
         */
        id: components['parameters']['VoiceModelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /**
       * @description The voice model is deleted; reading it afterwards answers 404.
       *     The body is empty; clients accept any.
       */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description The voice model is deleted.
       *     Some services answer so; clients accept both.
       */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ModelValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  updateModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Id of the voice model.
         * @example 802e3bc2b27e49c2995d23ef70e6ac89
         */
        id: components['parameters']['VoiceModelId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['UpdateModelBody'];
    responses: {
      /**
       * @description The voice model is changed.
       *     The body is empty; clients accept any.
       */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ModelValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  getApiCredit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description A user id, or `self` for the caller.
         * @example self
         */
        user_id: components['parameters']['CreditUserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The API credit. */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiCredit'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
  getPackage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description A user id, or `self` for the caller.
         *     Clients send `self` if their user gives no id.
         * @example self
         */
        user_id: components['parameters']['PackageUserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The package. */
      200: {
        headers: {
          /**
           * @description Trace id of the request, as 32 hexadecimal digits.
           *     If something went wrong, report it to the operator of the service.
           */
          'x-trace-id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Package'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['ServerFault'];
      503: components['responses']['ServiceOverloaded'];
    };
  };
}
type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: T[P];
};
