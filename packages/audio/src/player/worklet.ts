import { SampleLine, type ToLine } from './sample-line.ts';

// What an audio thread has; the library of the DOM does not describe it.
declare const sampleRate: number;
declare const currentTime: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

registerProcessor(
  'speech-api-line',
  class extends AudioWorkletProcessor {
    readonly #line = new SampleLine(sampleRate, (report) => this.port.postMessage(report));

    constructor() {
      super();
      this.port.onmessage = ({ data }: MessageEvent<ToLine>) => this.#line.handle(data);
    }

    process(_inputs: unknown, outputs: Float32Array[][]): boolean {
      const [channel, ...others] = outputs[0] ?? [];
      if (channel !== undefined) {
        this.#line.fill(channel, currentTime + channel.length / sampleRate);
        for (const other of others) other.set(channel);
      }
      return true;
    }
  },
);
