/** What the player takes from the browser; handed in so that tests can bring their own. */
export interface Platform {
  createContext(sampleRate: number): AudioContext;
  /** Absent where the browser has no WebCodecs. */
  readonly codecs: Codecs | undefined;
}

/** The part of WebCodecs that decodes audio. */
export interface Codecs {
  isSupported(configuration: AudioDecoderConfig): Promise<boolean>;
  createDecoder(callbacks: AudioDecoderInit): AudioDecoder;
  createChunk(chunk: EncodedAudioChunkInit): EncodedAudioChunk;
}

export function browserPlatform(): Platform {
  return {
    createContext: (sampleRate) => new AudioContext({ sampleRate, latencyHint: 'interactive' }),
    codecs: typeof AudioDecoder === 'undefined' ? undefined : webCodecs(),
  };
}

function webCodecs(): Codecs {
  return {
    async isSupported(configuration) {
      // Some browsers reject for codecs they have never heard of.
      const answer = await AudioDecoder.isConfigSupported(configuration).catch(() => undefined);
      return answer?.supported === true;
    },
    createDecoder: (callbacks) => new AudioDecoder(callbacks),
    createChunk: (chunk) => new EncodedAudioChunk(chunk),
  };
}
