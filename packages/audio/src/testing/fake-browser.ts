import type { AudioFormat } from '@speech-api/types';
import type { Codecs } from '../player/decoders.ts';
import { type OpenPlayerOptions, type Player, QueuePlayer } from '../player/open-player.ts';
import { SampleLine } from '../player/sample-line.ts';

/** An audio context whose clock the test turns. */
export class FakeContext {
  currentTime = 0;
  state: AudioContextState = 'suspended';
  outputLatency = 0;
  baseLatency = 0;
  readonly sampleRate: number;
  /** The result of `decodeAudioData`. */
  decoded: Float32Array<ArrayBuffer> = new Float32Array(0);
  decodedBytes = 0;

  constructor(sampleRate: number) {
    this.sampleRate = sampleRate;
  }

  async decodeAudioData(bytes: ArrayBuffer) {
    this.decodedBytes = bytes.byteLength;
    const { sampleRate, decoded } = this;
    return { numberOfChannels: 1, sampleRate, getChannelData: () => decoded };
  }

  async resume(): Promise<void> {
    this.state = 'running';
  }

  async suspend(): Promise<void> {
    this.state = 'suspended';
  }

  async close(): Promise<void> {
    this.state = 'closed';
  }
}

export interface FakeBrowserOptions {
  samplesOf?: (packet: Uint8Array) => number;
  isSupported?: boolean;
  hasCodecs?: boolean;
}

export interface FakeBrowser {
  readonly codecs: Codecs | undefined;
  /** Every packet that the decoder received. */
  readonly decoded: { data: Uint8Array; timestamp: number }[];
  openDecoders: number;
  /** The error for the next packet. */
  failure: Error | undefined;
}

/**
 * A browser whose decoder gives, for each packet, as many samples as `samplesOf` says, counting up from 0.
 * Like real ones it answers later and holds the latest packet back until another one comes.
 */
export function createFakeBrowser(options: FakeBrowserOptions = {}): FakeBrowser {
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
  const browser: FakeBrowser = {
    codecs: hasCodecs ? codecs : undefined,
    decoded: [],
    openDecoders: 0,
    failure: undefined,
  };
  return browser;
}

/** A player in a fake browser, whose audio thread gives a block whenever the test turns the clock. */
export interface FakePlayer {
  readonly player: Player;
  readonly browser: FakeBrowser;
  readonly context: FakeContext;
  /** Every sample that reached the output. */
  readonly heard: number[];
  /** Lets time pass, as far as the context runs. */
  advance(seconds: number): Promise<void>;
  /** Simulates a click or touch on the page. */
  touch(): void;
}

export function openFakePlayer(
  format: AudioFormat,
  options: OpenPlayerOptions & FakeBrowserOptions & { readonly contextRate?: number } = {},
): FakePlayer {
  const browser = createFakeBrowser(options);
  const { contextRate = options.sampleRate ?? 48_000 } = options;
  const context = new FakeContext(contextRate);
  const samples: number[] = [];
  let fill: SampleLine['fill'] = () => {};
  let gesture = () => {};
  const player = new QueuePlayer(
    {
      codecs: browser.codecs,
      createContext: () => context as unknown as AudioContext,
      async openLine(_context, { startSeconds }, onReport) {
        const line = new SampleLine(contextRate, onReport, startSeconds);
        fill = (output, time) => line.fill(output, time);
        return { post: (message) => line.handle(structuredClone(message)), disconnect() {} };
      },
      onGesture(unlock) {
        gesture = unlock;
        return () => {
          gesture = () => {};
        };
      },
    },
    format,
    options,
  );
  async function advance(seconds: number) {
    const frames = contextRate / 100;
    for (let steps = Math.round(seconds * 100); steps > 0; steps--) {
      if (context.state === 'running') {
        const output = new Float32Array(frames);
        context.currentTime += frames / contextRate;
        fill(output, context.currentTime);
        samples.push(...output);
      }
      await settle();
    }
  }
  return { player, browser, context, heard: samples, advance, touch: () => gesture() };
}

function audioData(from: number, length: number): AudioData {
  const data = {
    numberOfFrames: length,
    numberOfChannels: 1,
    sampleRate: 48000,
    copyTo(target: Float32Array, { frameOffset = 0 }: AudioDataCopyToOptions) {
      if (frameOffset > 0) throw new Error('WebKit would have ended the page');
      for (let index = 0; index < length; index++) target[index] = from + index;
    },
    close() {},
  };
  return data as unknown as AudioData;
}

/** Waits until all pending work has run. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
