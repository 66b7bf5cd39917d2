import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnginePool } from './engine/engine-pool.ts';
import { SpeechEngineError } from './engine/protocol.ts';
import { defaultJob, type SpeechService } from './job.ts';
import { createOutput, warmUp } from './output/output.ts';
import { profileForVoice } from './prosody.ts';
import { openSession, type SynthesisParts, synthesize } from './synthesize.ts';

export interface SpeechServiceOptions {
  /**
   * Engine processes kept warm.
   *
   * @defaultValue 2
   */
  readonly processes?: number;
}

const warmProcesses = 2;
/** An engine keeps a core busy while it speaks, so more engines would only slow each other down. */
const mostProcesses = Math.max(warmProcesses, availableParallelism());
const engineDeadline = 15_000;
/** The machine may be busy with a dozen other things that start just now. */
const engineStartDeadline = 60_000;
/** The longest chunk takes 60 ms of a core, a process that starts more than a second of one. */
const engineGrace = 2000;
/** Six minutes of speech, more than the longest chunk of text gives at the slowest speed. */
const outputsAhead = 4_000;
/** Seconds until the first word after which a request is refused and the caller should retry later. */
const longestWait = 30_000;

/**
 * Starts the engines and gives the service that speaks with them. Close it, or they keep running.
 *
 * @throws SpeechEngineError when no engine is installed.
 */
export function createSpeechService(options: SpeechServiceOptions = {}): SpeechService {
  const warm = options.processes ?? warmProcesses;
  const pool = new EnginePool({
    command: [process.execPath, engineProgram()],
    warm,
    most: Math.max(warm, mostProcesses),
    deadline: engineDeadline,
    startDeadline: engineStartDeadline,
    grace: engineGrace,
    ahead: outputsAhead,
  });
  const parts: SynthesisParts = {
    speak: (utterance, options) => pool.speak(utterance, options),
    createOutput,
    waitAtMost: longestWait,
  };
  return {
    open: (job, options) => openSession(job, parts, options),
    async ready() {
      await Promise.all([pool.ready(), warmUp()]);
      await rehearse(parts);
    },
    close: () => pool.close(),
  };
}

/** The engine of this repository, or the one that is installed beside this package or in the working directory. */
function engineProgram(): string {
  // `src/speech` and `dist/speech` are equally deep below the package.
  const program = fileURLToPath(new URL('../../engines/espeak/dist/main.js', import.meta.url));
  if (existsSync(program)) return program;
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(from).resolve('@speech-api/engine-espeak/program');
    } catch {
      // The program is not installed in this place.
    }
  }
  throw new SpeechEngineError(
    'The speech engine is not installed. It is a package of its own under the GPL: npm install @speech-api/engine-espeak.',
  );
}

/** Speaks once as a warm-up: the first sentence of a process takes a tenth of a second longer than the next. */
async function rehearse(parts: SynthesisParts): Promise<void> {
  const job = defaultJob('Nobody hears this sentence, nor “this” one. 你好。', profileForVoice('rehearsal'));
  for await (const _ of synthesize(job, parts, { signal: new AbortController().signal }));
}
