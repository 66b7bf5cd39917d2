import type { Codecs, Platform } from '../play/platform.ts';

/** A buffer and when it is to sound. */
export interface ScheduledPiece {
  readonly start: number;
  readonly end: number;
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** An audio context whose clock the test turns. */
export class FakeContext extends EventTarget {
  currentTime = 0;
  state: AudioContextState = 'suspended';
  outputLatency = 0;
  baseLatency = 0;
  readonly destination = {};
  readonly pieces: ScheduledPiece[] = [];
  readonly sampleRate: number;
  #playing = new Set<{ end: number; finish(): void }>();
  /** What `decodeAudioData` answers. */
  decoded: Float32Array<ArrayBuffer> = new Float32Array(0);
  decodedBytes = 0;

  constructor(sampleRate: number) {
    super();
    this.sampleRate = sampleRate;
  }

  /** Lets time pass in steps of 10 ms, as far as the context runs. */
  async advance(seconds: number): Promise<void> {
    for (let step = 0; step < Math.round(seconds * 100); step++) {
      if (this.state !== 'running') break;
      this.currentTime += 0.01;
      for (const piece of [...this.#playing]) {
        if (piece.end > this.currentTime) continue;
        this.#playing.delete(piece);
        piece.finish();
      }
      await settle();
    }
  }

  createBuffer(channels: number, length: number, sampleRate: number) {
    const data = Array.from({ length: channels }, () => new Float32Array(length));
    return {
      length,
      sampleRate,
      duration: length / sampleRate,
      numberOfChannels: channels,
      getChannelData: (channel: number) => data[channel],
      copyToChannel: (samples: Float32Array, channel: number) => data[channel]?.set(samples),
    };
  }

  createBufferSource() {
    type Buffer = ReturnType<FakeContext['createBuffer']>;
    const source = {
      buffer: undefined as Buffer | undefined,
      onended: null as (() => void) | null,
      connect: () => {},
      disconnect: () => {},
      start: (start: number) => {
        const { buffer } = source;
        if (buffer === undefined) throw new Error('started without a buffer');
        const end = start + buffer.duration;
        const samples = buffer.getChannelData(0) ?? new Float32Array(0);
        this.pieces.push({ start, end, samples, sampleRate: buffer.sampleRate });
        playing = { end, finish: () => source.onended?.() };
        this.#playing.add(playing);
      },
      stop: () => {
        if (playing !== undefined) this.#playing.delete(playing);
      },
    };
    let playing: { end: number; finish(): void } | undefined;
    return source;
  }

  get playingCount(): number {
    return this.#playing.size;
  }

  async decodeAudioData(bytes: ArrayBuffer) {
    this.decodedBytes = bytes.byteLength;
    const buffer = this.createBuffer(1, this.decoded.length, this.sampleRate);
    buffer.copyToChannel(this.decoded, 0);
    return buffer;
  }

  async resume(): Promise<void> {
    this.#become('running');
  }

  async suspend(): Promise<void> {
    this.#become('suspended');
  }

  async close(): Promise<void> {
    this.#become('closed');
  }

  #become(state: AudioContextState): void {
    if (this.state === 'closed') throw new Error('the context is closed');
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

export interface FakeBrowser {
  readonly platform: Platform;
  readonly contexts: FakeContext[];
  /** Every packet that a decoder was given. */
  readonly decoded: { data: Uint8Array; timestamp: number }[];
  openDecoders: number;
  /** Makes the next packet fail. */
  failure: Error | undefined;
}

/**
 * A browser whose decoder gives, for each packet, as many samples as `samplesOf` says, counting up from 0.
 * Like real ones it answers later and holds the latest packet back until another one comes.
 */
export function createFakeBrowser(options: {
  samplesOf?: (packet: Uint8Array) => number;
  isSupported?: boolean;
  hasCodecs?: boolean;
}): FakeBrowser {
  const { samplesOf = () => 0, isSupported = true, hasCodecs = true } = options;
  const codecs: Codecs = {
    isSupported: async () => isSupported,
    createDecoder(callbacks) {
      let waiting: number[] = [];
      let position = 0;
      let isClosed = false;
      browser.openDecoders += 1;
      const give = (count: number) => {
        for (const samples of waiting.splice(0, count)) {
          const from = position;
          position += samples;
          if (!isClosed) callbacks.output(audioData(from, samples));
        }
      };
      const decoder = {
        state: 'unconfigured',
        configure: () => {
          decoder.state = 'configured';
        },
        decode(chunk: { data: Uint8Array; timestamp: number }) {
          if (isClosed) throw new Error('the decoder is closed');
          browser.decoded.push(chunk);
          const { failure } = browser;
          if (failure !== undefined) queueMicrotask(() => callbacks.error(failure as DOMException));
          waiting.push(samplesOf(chunk.data));
          queueMicrotask(() => give(waiting.length - 1));
        },
        async flush() {
          await Promise.resolve();
          give(waiting.length);
        },
        close() {
          isClosed = true;
          waiting = [];
          decoder.state = 'closed';
          browser.openDecoders -= 1;
        },
      };
      return decoder as unknown as AudioDecoder;
    },
    createChunk: (chunk) => chunk as unknown as EncodedAudioChunk,
  };
  const contexts: FakeContext[] = [];
  const browser: FakeBrowser = {
    contexts,
    decoded: [],
    openDecoders: 0,
    failure: undefined,
    platform: {
      createContext(sampleRate) {
        const context = new FakeContext(sampleRate);
        contexts.push(context);
        return context as unknown as AudioContext;
      },
      codecs: hasCodecs ? codecs : undefined,
    },
  };
  return browser;
}

function audioData(from: number, length: number): AudioData {
  const data = {
    numberOfFrames: length,
    numberOfChannels: 1,
    sampleRate: 48000,
    copyTo(target: Float32Array, { frameOffset, frameCount }: { frameOffset: number; frameCount: number }) {
      for (let index = 0; index < frameCount; index++) target[index] = from + frameOffset + index;
    },
    close() {},
  };
  return data as unknown as AudioData;
}

/** Lets everything that is due run. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
