import { SampleLine, type ToLine } from './sample-line.ts';

// Globals of an audio thread, which the DOM library does not declare.
declare const sampleRate: number;
declare const currentTime: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new (options: { processorOptions: { startSeconds?: number } }) => AudioWorkletProcessor,
): void;

registerProcessor(
  'speech-api-line',
  class extends AudioWorkletProcessor {
    readonly #line: SampleLine;

    constructor({ processorOptions }: { processorOptions: { startSeconds?: number } }) {
      super();
      const line = new SampleLine(
        sampleRate,
        (report) => this.port.postMessage(report),
        processorOptions.startSeconds,
      );
      this.#line = line;
      this.port.onmessage = ({ data }: MessageEvent<ToLine>) => line.handle(data);
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
