// The page of the tests of live speech: speaks through a relay, plays, and records what reaches the loudspeaker.
import { type OpenPlayerOptions, openPlayer, type Player } from '@speech-api/audio/player';
import { connectLive, type LiveConnection, type LiveRequest, throughRelay } from '@speech-api/live';
import type { AudioFormat } from '@speech-api/types';

/**
 * The audio that was heard: 16-bit samples given to the output, from the first to the last non-silent one.
 */
export interface Heard {
  readonly sampleRate: number;
  /** In base64: a list of numbers would take longer to leave the page than to be heard. */
  readonly samples: string;
  /** When the last of them left, by the clock of the context, in seconds. */
  readonly lastTime: number;
}

/** Records everything that a context gives to its output, in the order of its frames. */
class Tape {
  #blocks: Float32Array[] = [];
  #begin = 0;
  #sampleRate = 1;
  /** Time of the end of what is recorded. */
  time = 0;

  add(time: number, samples: Float32Array, sampleRate: number): void {
    if (this.#blocks.length === 0) this.#begin = time;
    this.#blocks.push(samples);
    this.#sampleRate = sampleRate;
    this.time = time + samples.length / sampleRate;
  }

  clear(): void {
    this.#blocks = [];
  }

  heard(): Heard {
    const sampleRate = this.#sampleRate;
    const all = Int16Array.from(this.#blocks.flatMap((block) => [...block].map((sample) => sample * 32_768)));
    const first = all.findIndex((sample) => sample !== 0);
    const last = all.findLastIndex((sample) => sample !== 0);
    return {
      sampleRate,
      samples: first < 0 ? '' : base64Of(new Uint8Array(all.slice(first, last + 1).buffer)),
      lastTime: this.#begin + (last + 1) / sampleRate,
    };
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

const tape = new Tape();

const recorder = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[channel] = []]) {
    // Until something is connected there is no channel: silence all the same.
    this.port.postMessage({ time: currentTime, samples: channel?.slice() ?? new Float32Array(128) });
    return true;
  }
});`;

/** Whatever is connected to a loudspeaker is connected to the tape, too. */
function recordOutput(): void {
  const { addModule } = AudioWorklet.prototype;
  const address = URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' }));
  AudioWorklet.prototype.addModule = async function (...given) {
    await addModule.call(this, address);
    await addModule.apply(this, given);
  };
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...given: unknown[]) => AudioNode;
  AudioNode.prototype.connect = function (this: AudioNode, ...given: unknown[]) {
    const [target] = given;
    if (target instanceof AudioDestinationNode) {
      const { context } = this;
      const node = new AudioWorkletNode(context, 'recorder');
      node.port.onmessage = ({ data }) => tape.add(data.time, data.samples, context.sampleRate);
      connect.call(this, node);
      // It gives silence; connected to nothing it would not run.
      connect.call(node, target);
    }
    return connect.apply(this, given);
  } as typeof AudioNode.prototype.connect;
}

recordOutput();

let connection: LiveConnection | undefined;
let player: Player | undefined;
let context: AudioContext | undefined;

const opened = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('call open first');
  return value;
};

async function* kept(speech: AsyncIterable<Uint8Array>, pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const piece of speech) {
    pieces.push(piece);
    yield piece;
  }
}

/** The same once all of it has come. */
async function* later(speech: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of speech) pieces.push(piece);
  yield* pieces;
}

async function joined(pieces: Uint8Array[]): Promise<string> {
  return base64Of(new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
}

async function runOn(seconds: number): Promise<void> {
  const until = tape.time + seconds;
  while (tape.time < until) await new Promise((resolve) => setTimeout(resolve, 5));
}

const program = {
  async open(relay: string, request: LiveRequest & { readonly format: AudioFormat }): Promise<void> {
    const options: OpenPlayerOptions = request.sample_rate == null ? {} : { sampleRate: request.sample_rate };
    context = new AudioContext({ sampleRate: options.sampleRate ?? 48_000 });
    player = openPlayer(request.format, { ...options, audioContext: context });
    const ticket = async () => (await fetch('/ticket')).text();
    connection = await connectLive(throughRelay({ url: relay, ticket }), request);
  },

  /** Speaks and plays a text to its end; `isWhole` plays nothing before all of it is there. */
  async hear(text: string, { isWhole = false } = {}) {
    tape.clear();
    const pieces: Uint8Array[] = [];
    const speech = kept(opened(connection).speak(text), pieces);
    await opened(player).play(isWhole ? later(speech) : speech);
    await opened(player).drained;
    const drainedTime = opened(context).currentTime;
    await runOn(0.05);
    const { underruns, latencyMilliseconds } = opened(player);
    return { bytes: await joined(pieces), drainedTime, heard: tape.heard(), underruns, latencyMilliseconds };
  },

  async interrupt(text: string, milliseconds: number) {
    tape.clear();
    const pieces: Uint8Array[] = [];
    const speech = opened(connection).speak(text);
    const playing = opened(player).play(kept(speech, pieces));
    while (opened(player).playedMilliseconds < milliseconds) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { currentTime, outputLatency } = opened(context);
    const { underruns } = opened(player);
    const playedMs = opened(player).stop();
    const interruption = speech.interrupt({ playedMs });
    await playing;
    await opened(player).drained;
    await runOn(0.05);
    return {
      bytes: await joined(pieces),
      playedMs,
      text: interruption.heard,
      estimated: interruption.estimated,
      heard: tape.heard(),
      /** Everything that had left the loudspeaker by then is older than this, by the clock of the context. */
      outputTime: currentTime - outputLatency,
      stopTime: currentTime,
      /** Number of times that the sound ran dry until then, since the page was opened. */
      underruns,
    };
  },
};

export type LiveProgram = typeof program;
Object.assign(window, { live: program });
