import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SpeechEngineError } from './engine/engine-error.ts';
import { EnginePool } from './engine/engine-pool.ts';
import type { SpeechService } from './job.ts';
import { OutputThreads } from './output/output-threads.ts';
import { rehearse } from './rehearse.ts';
import { synthesize } from './synthesize.ts';

export interface SpeechServiceOptions {
  /**
   * Program and arguments of a process that speaks the engine protocol.
   *
   * @defaultValue the engine of this workspace, on the Node that runs the sandbox
   */
  readonly engineCommand?: readonly string[];
  /**
   * Engine processes kept warm.
   *
   * @defaultValue 2
   */
  readonly processes?: number;
}

const warmProcesses = 2;
/** More speakers than this at once wait for each other. */
const mostProcesses = 8;
/** One encodes forty times faster than its audio plays; a second one keeps a long job from delaying others. */
const outputThreads = 2;
const engineDeadline = 15_000;
const enginePatience = 1000;
const engineIdle = 30_000;

/**
 * Starts the engines and gives the service that speaks with them. Close it, or they keep running.
 *
 * @throws SpeechEngineError when the engine of this workspace is wanted and not built.
 */
export function createSpeechService(options: SpeechServiceOptions = {}): SpeechService {
  const warm = options.processes ?? warmProcesses;
  const pool = new EnginePool({
    command: options.engineCommand ?? [process.execPath, engineProgram()],
    warm,
    most: Math.max(warm, mostProcesses),
    deadline: engineDeadline,
    patience: enginePatience,
    idle: engineIdle,
  });
  const threads = new OutputThreads(outputThreads);
  const createOutput = threads.create.bind(threads);
  return {
    synthesize: (job, options) => synthesize(job, { pool, createOutput }, options),
    async ready() {
      await Promise.all([pool.ready(), threads.ready()]);
      await rehearse({ pool, createOutput });
    },
    async close() {
      await Promise.all([pool.close(), threads.close()]);
    },
  };
}

/** `src/speech` and `dist/speech` lie equally deep below the package. */
function engineProgram(): string {
  const program = fileURLToPath(new URL('../../engines/espeak/dist/main.js', import.meta.url));
  if (existsSync(program)) return program;
  throw new SpeechEngineError(
    'The speech engine is not built: run `pnpm --filter @speech-api/engine-espeak build`, or name another with engineCommand.',
  );
}
