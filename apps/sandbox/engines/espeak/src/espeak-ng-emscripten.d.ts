declare module '@echogarden/espeak-ng-emscripten' {
  /** An event of the engine, as its JavaScript glue hands it on. */
  export interface EspeakEvent {
    readonly type:
      | 'word'
      | 'sentence'
      | 'mark'
      | 'play'
      | 'end'
      | 'msg_terminated'
      | 'phoneme'
      | 'samplerate';
    /** 1-based, counted in code points. */
    readonly text_position: number;
    readonly word_length: number;
    /** Milliseconds from the start of the utterance. */
    readonly audio_position: number;
    readonly id: string | number | undefined;
  }

  export interface EspeakWorker {
    set_voice(name: string, language: string): number;
    set_rate(wordsPerMinute: number): number;
    set_pitch(pitch: number): number;
    set_range(range: number): number;
    get_samplerate(): number;
    /** `text` is a string or a pointer to UTF-8 bytes that end with a zero; a true return cancels. */
    synthesize(
      text: string | number,
      callback: (samples: Int16Array, events: readonly EspeakEvent[]) => boolean,
    ): void;
  }

  export interface EspeakModule {
    readonly HEAPU8: Uint8Array;
    readonly eSpeakNGWorker: new () => EspeakWorker;
    _malloc(bytes: number): number;
    FS_createDataFile(
      path: string,
      name: null,
      bytes: Uint8Array,
      canRead: boolean,
      canWrite: boolean,
      canOwn: boolean,
    ): void;
  }

  export interface EspeakModuleOptions {
    readonly print: (text: string) => void;
    readonly printErr: (text: string) => void;
    /** Hands over the packaged data, which is fetched otherwise. */
    readonly getPreloadedPackage?: (name: string, size: number) => ArrayBuffer;
  }

  export type CreateEspeakModule = (options: EspeakModuleOptions) => Promise<EspeakModule>;

  const createModule: CreateEspeakModule;
  export default createModule;
}
