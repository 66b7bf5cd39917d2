import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, noteError } from './figures.ts';
import { formats, textOf } from './texts.ts';

/** Seconds that a text of four sentences lasts, about. */
const clipSeconds = 22;

/**
 * One caller who listens: asks for a clip, reads it in sips, and asks for the next when this one would have been heard to
 * its end. Every second one reads the timestamp stream.
 */
export async function runStream(
  url: string,
  caller: { readonly index: number; readonly key: string },
  figures: Figures,
  until: number,
): Promise<void> {
  const path = caller.index % 2 === 0 ? '/v1/tts' : '/v1/tts/stream/with-timestamp';
  // Not all at the same moment, as callers are.
  await sleep((caller.index % 50) * 100);
  for (let round = 0; Date.now() < until; round += 1) {
    try {
      const format = formats[(caller.index + round) % formats.length];
      const body = JSON.stringify({ text: textOf(caller.index, round, 4), format });
      const asked = performance.now();
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${caller.key}`,
          model: 's2-pro',
          'content-type': 'application/json',
        },
        body,
      });
      if (response.status !== 200 || response.body === null) {
        throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 100)}`);
      }
      let chunks = 0;
      for await (const chunk of response.body) {
        if (chunks === 0) figures.firstAudio.push(performance.now() - asked);
        chunks += 1;
        figures.bytes += chunk.length;
        if (Date.now() < until) await sleep(20);
      }
      figures.done += 1;
      const played = (performance.now() - asked) / 1000;
      await sleep(Math.max(0, Math.min((clipSeconds - played) * 1000, until - Date.now())));
    } catch (error) {
      noteError(figures, error);
      await sleep(100);
    }
  }
}
