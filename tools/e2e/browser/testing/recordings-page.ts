import { cutInWorker } from '@speech-api/recordings/browser';

/** Outcome for a file; `ticks` counts how often the page was free meanwhile. */
export interface PageOutcome {
  readonly error?: string;
  readonly kind?: unknown;
  readonly ticks: number;
}

async function cutFile(bytes: readonly number[], deadline: number): Promise<PageOutcome> {
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 50);
  try {
    for await (const _ of cutInWorker({ deadline })(new File([Uint8Array.from(bytes)], 'recording')));
    return { ticks };
  } catch (error) {
    const kind = error instanceof Error && 'kind' in error ? error.kind : undefined;
    return { error: String(error), kind, ticks };
  } finally {
    clearInterval(ticking);
  }
}

Object.assign(globalThis, { cutFile });
