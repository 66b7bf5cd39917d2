import type { AudioFormat } from '@speech-api/types';
import { browserCodecs } from './decoders.ts';
import { type OpenPlayerOptions, type Player, type PlayerPlatform, QueuePlayer } from './open-player.ts';
import type { LineReport } from './sample-line.ts';

export type { OpenPlayerOptions, Player } from './open-player.ts';

/**
 * Opens a player for speech in a browser: one utterance after the other, each from its first bytes. An audio thread
 * plays the samples; mp3 and opus are decoded by WebCodecs, or at the end of the utterance where the browser cannot do
 * that. Open it in the handler of a click, so that the browser lets sound begin.
 *
 * @example
 * ```ts
 * const player = openPlayer('pcm', { sampleRate: 24000 });
 * await player.play(speech);
 * await player.drained;
 * await player.close();
 * ```
 */
export function openPlayer(format: AudioFormat, options: OpenPlayerOptions = {}): Player {
  return new QueuePlayer(browserPlatform(), format, options);
}

function browserPlatform(): PlayerPlatform {
  return {
    codecs: browserCodecs(),
    createContext(sampleRate) {
      try {
        return new AudioContext({ sampleRate, latencyHint: 'interactive' });
      } catch {
        // Some browsers play at the rate of the device only; samples are resampled then.
        return new AudioContext({ latencyHint: 'interactive' });
      }
    },
    async openLine(context, { startSeconds, workletUrl, output = context.destination }, onReport) {
      // Browsers offer it on secure pages only.
      if (!(context.audioWorklet as AudioWorklet | undefined))
        throw new Error('audio plays on secure pages only; serve this page over https, or from localhost');
      await context.audioWorklet.addModule(workletUrl ?? new URL('./worklet.js', import.meta.url));
      const node = new AudioWorkletNode(context, 'speech-api-line', {
        numberOfInputs: 0,
        outputChannelCount: [1],
        processorOptions: { startSeconds },
      });
      node.port.onmessage = ({ data }: MessageEvent<LineReport>) => onReport(data);
      node.connect(output);
      return {
        post: (message) => node.port.postMessage(message),
        disconnect: () => node.disconnect(),
      };
    },
    onGesture(unlock) {
      const names = ['pointerdown', 'touchend', 'keydown'] as const;
      for (const name of names) addEventListener(name, unlock, true);
      return () => {
        for (const name of names) removeEventListener(name, unlock, true);
      };
    },
  };
}
