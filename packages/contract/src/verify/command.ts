import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { UsageError } from '../command/failures.ts';
import { deliver, readReportPlan } from '../command/report-options.ts';
import { parseVerify, readVerifyOptions, verifyHelp } from './command-line.ts';
import { describePlan } from './describe-plan.ts';
import { describeRun } from './describe-run.ts';
import { listenForInterrupt } from './interrupt.ts';
import { createProgress } from './progress.ts';
import { readTarget } from './target.ts';
import { planFor, scenariosFor, verify } from './verify.ts';

/** Judges a running server. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'plays scenarios against a server and judges every answer',
  help: verifyHelp,
  run,
};

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const values = parseVerify(words);
  if (values.help) {
    surroundings.out(verifyHelp);
    return 0;
  }
  const options = readVerifyOptions(values);
  const plan = readReportPlan(values);
  checkNames(options.only, options.seed);
  const { target, live, dryRun } = options;
  if (dryRun) {
    const address = readTarget({ target, ...(live !== undefined && { live }), key: 'none' });
    surroundings.out(describePlan(planFor(options), address));
    return 0;
  }
  const progress = createProgress(surroundings, process.stderr.isTTY === true);
  const interrupt = listenForInterrupt(() => {
    progress.clear();
    surroundings.error('Interrupted. Deleting what was made; once more ends at once.\n');
  });
  try {
    const report = await verify({
      ...options,
      ...(plan.baseline !== undefined && { baseline: plan.baseline }),
      key: readKey(surroundings),
      limits: { idleMs: options.timeoutSeconds * 1000 },
      signal: interrupt.signal,
      onProgress: progress.show,
    });
    progress.clear();
    const code = await deliver(report, plan, surroundings);
    surroundings.error(`\n${describeRun(report.run)}`);
    return report.run.interrupted ? 2 : code;
  } finally {
    interrupt.release();
    progress.clear();
  }
}

/** @throws UsageError where no key is set */
function readKey({ environment }: Surroundings): string {
  const key = environment.SPEECH_API_KEY;
  if (key === undefined || key === '') {
    throw new UsageError(
      'SPEECH_API_KEY is not set. Put the key of the server into it; the key is taken from nowhere else, ' +
        'because whatever stands on a command line is seen by everybody who lists the processes of the machine.',
    );
  }
  return key;
}

/** @throws UsageError when a name fits no scenario */
function checkNames(only: readonly string[], seed: number): void {
  const names = scenariosFor(seed).map(({ name }) => name);
  for (const wanted of only) {
    const fits = wanted.endsWith('*')
      ? (name: string) => name.startsWith(wanted.slice(0, -1))
      : (name: string) => name === wanted;
    if (names.some(fits)) continue;
    const [beginning = ''] = wanted.split('-');
    const near = names.filter((name) => name.startsWith(beginning)).slice(0, 10);
    throw new UsageError(
      `--only ${wanted}: there is no such scenario. ${near.length > 0 ? `There are ${near.join(', ')}; ` : ''}--dry-run lists them.`,
    );
  }
}
