import type {
  CreateEspeakModule,
  EspeakEvent,
  EspeakModule,
  EspeakModuleOptions,
} from '@echogarden/espeak-ng-emscripten';
import type { SpeakRequest, TimedEvent } from './protocol.ts';

/** Called for every piece of about 100 ms, in order. */
export type PieceListener = (samples: Int16Array, events: readonly EspeakEvent[]) => void;

export interface Engine {
  readonly sampleRate: number;
  /** Gives the engine a file of its data that was left out of the package it was loaded with. */
  addFile(path: string, bytes: Uint8Array): void;
  /** Speaks one utterance to its end before it returns. The same request always gives the same samples. */
  speak(request: SpeakRequest, onPiece: PieceListener): void;
}

/**
 * Loads the engine once and remembers its memory as it was before the first word.
 *
 * The engine carries state from call to call: the same text comes out with other samples the second time.
 * A fresh module cures that for 40 to 100 ms and cold code each time; writing the remembered memory back
 * cures it for 1.5 ms and keeps the code warm, with the same bytes as a fresh module.
 */
export async function loadEngine(
  createModule: CreateEspeakModule,
  options: EspeakModuleOptions,
): Promise<Engine> {
  const module = await withoutClock(async () => {
    const loaded = await createModule(options);
    return { loaded, worker: new loaded.eSpeakNGWorker() };
  });
  const { loaded, worker } = module;
  // The glue keeps one scratch buffer inside the memory and its address outside. It is made on the first call
  // that takes a string, so that call has to come before the picture of the memory is taken.
  worker.set_voice('en-us', '');
  const pristine = loaded.HEAPU8.slice();

  return {
    sampleRate: worker.get_samplerate(),
    addFile: (path, bytes) => loaded.FS_createDataFile(path, null, bytes, true, false, true),
    speak(request, onPiece) {
      restore(loaded, pristine);
      worker.set_voice(request.voice, '');
      worker.set_rate(request.rate);
      worker.set_pitch(request.pitch);
      worker.set_range(request.range);
      // By pointer: a string of more than the scratch buffer makes the glue allocate, and remember, more.
      const text = placeText(loaded, request.text);
      worker.synthesize(text, (samples, events) => {
        onPiece(samples, events);
        return false;
      });
    },
  };
}

function restore(module: EspeakModule, pristine: Uint8Array): void {
  module.HEAPU8.set(pristine);
  // The memory may have grown since; what lies beyond the picture was zero when it was taken.
  module.HEAPU8.fill(0, pristine.length);
}

function placeText(module: EspeakModule, text: string): number {
  const bytes = new TextEncoder().encode(`${text.replaceAll('\0', ' ')}\0`);
  const pointer = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, pointer);
  return pointer;
}

/**
 * The engine seeds the noise of its breathy voices from the clock while it starts. With the clock at rest
 * every process has the same seed, and the same request the same bytes.
 */
async function withoutClock<Value>(load: () => Promise<Value>): Promise<Value> {
  const now = Date.now;
  Date.now = () => 0;
  try {
    return await load();
  } finally {
    Date.now = now;
  }
}

/** Turns the engine's events into the protocol's; those that say nothing about time or text are left out. */
export function timedEvents(events: readonly EspeakEvent[]): TimedEvent[] {
  const timed: TimedEvent[] = [];
  for (const event of events) {
    const time = event.audio_position / 1000;
    const position = Math.max(0, event.text_position - 1);
    if (event.type === 'word') {
      timed.push({ event: 'word', time, position, length: event.word_length });
    } else if (event.type === 'sentence') {
      timed.push({ event: 'sentence', time, position });
    } else if (event.type === 'phoneme') {
      timed.push({ event: 'phoneme', time, phoneme: String(event.id ?? '') });
    } else if (event.type === 'end') {
      timed.push({ event: 'clause-end', time });
    }
  }
  return timed;
}
