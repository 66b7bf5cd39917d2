import type { AudioFormat } from '@speech-api/types';
import { browserPlatform } from '../play/platform.ts';
import { type OpenPlayerOptions, openPlayerOn, type Player, type PlayerPlatform } from './open-player.ts';
import type { LineReport } from './sample-line.ts';

export type { OpenPlayerOptions, Player } from './open-player.ts';

/**
 * Opens a player for live speech in a browser: one utterance after the other, with as little delay as the connection
 * allows. Samples are played by an audio thread; mp3 and opus are decoded by WebCodecs, or at the end of the utterance
 * where the browser cannot do that.
 *
 * @example
 * ```ts
 * const player = openPlayer('pcm', { sampleRate: 24000 });
 * await player.play(speech);
 * await player.drained;
 * ```
 */
export function openPlayer(format: AudioFormat, options: OpenPlayerOptions = {}): Player {
  return openPlayerOn(platformOf(options.workletUrl), format, options);
}

function platformOf(workletUrl: string | URL | undefined): PlayerPlatform {
  const { codecs, createContext } = browserPlatform();
  return {
    codecs,
    createContext(sampleRate) {
      try {
        return createContext(sampleRate);
      } catch {
        // Some browsers play at the rate of the device only; samples are resampled then.
        return new AudioContext({ latencyHint: 'interactive' });
      }
    },
    async openLine(context, onReport) {
      await context.audioWorklet.addModule(workletUrl ?? new URL('./worklet.js', import.meta.url));
      const node = new AudioWorkletNode(context, 'speech-api-line', {
        numberOfInputs: 0,
        outputChannelCount: [1],
      });
      node.port.onmessage = ({ data }: MessageEvent<LineReport>) => onReport(data);
      node.connect(context.destination);
      return {
        post: (message) => node.port.postMessage(message),
        disconnect: () => node.disconnect(),
      };
    },
    onGesture(unlock) {
      const names = ['pointerdown', 'touchend', 'keydown'] as const;
      const forget = () => {
        for (const name of names) removeEventListener(name, once, true);
      };
      const once = () => {
        unlock();
        forget();
      };
      for (const name of names) addEventListener(name, once, true);
      return forget;
    },
  };
}
