import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureAudio } from '@speech-api/audio';
import { readBuiltText } from '@speech-api/spec/read';
import { parse } from 'yaml';

const steps = ['generate', 'compile', 'json', 'audio', 'stream', 'openapi32'] as const;
type Step = (typeof steps)[number];

/** Somebody else's tool that works with our documents, as tools.yaml describes it. */
export interface Tool {
  readonly id: string;
  readonly tool: string;
  readonly version: string;
  readonly language: string;
  readonly document: string;
  readonly install: string;
  readonly generate?: string;
  readonly compile?: string;
  readonly call?: string;
  readonly program?: readonly string[];
  readonly needs?: readonly string[];
  readonly compileNeeds?: readonly string[];
  readonly judges?: boolean;
  readonly fails?: Partial<Record<Step, string>>;
}

/** `works`, or the output of a step that fails, or the reason why it was not run. */
export type Outcome = Partial<
  Record<Step, { readonly works?: true; readonly fails?: string; readonly notRun?: string }>
>;

const folder = fileURLToPath(new URL('.', import.meta.url));
const resultsPath = `${folder}results.json`;

/** An empty folder in which commands run. */
interface Project {
  readonly folder: string;
  run(command: readonly string[], environment?: NodeJS.ProcessEnv): Promise<string>;
  write(path: string, content: string | Uint8Array): void;
  remove(): void;
}

const described: readonly Tool[] = parse(readFileSync(`${folder}tools.yaml`, 'utf8'));
export const tools: readonly Tool[] = described.map((tool) =>
  JSON.parse(JSON.stringify(tool).replaceAll('{version}', tool.version)),
);

/** Names the programs that this machine lacks, if any. */
export function missingPrograms(needs: readonly string[] = []): string | undefined {
  const missing = needs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`;
}

/** Installs a tool in an empty folder, then generates, compiles and calls the service that the environment names. */
export async function runTool(
  tool: Tool,
  emptyProject: () => Project,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const wanted = steps.filter((step) => commandOf(tool, step) !== undefined);
  const absent = missingPrograms(tool.needs);
  if (absent !== undefined) return Object.fromEntries(wanted.map((step) => [step, { notRun: absent }]));
  const project = emptyProject();
  const outcome: Outcome = {};
  const shell = (command = '') => project.run(['bash', '-eo', 'pipefail', '-c', command], environment);
  try {
    project.write('package.json', '{ "private": true }');
    for (const document of ['openapi.json', 'openapi-3.1.json'] as const)
      project.write(document, readBuiltText(document));
    for (const program of tool.program ?? [])
      project.write(program, readFileSync(`${folder}programs/${program}`));
    await shell(tool.install);
    for (const step of wanted) {
      const absent = step === 'generate' ? undefined : missingPrograms(tool.compileNeeds);
      const broken = outcome.generate?.fails ?? outcome.compile?.fails;
      if (absent !== undefined || broken !== undefined) outcome[step] = { notRun: absent ?? 'see above' };
      else
        outcome[step] = await shell(commandOf(tool, step))
          .then((printed) => {
            if (tool.judges !== true) expectResult(step, printed, join(project.folder, 'speech.mp3'));
            return { works: true } as const;
          })
          .catch(({ message }: Error) => ({ fails: message }));
    }
    return outcome;
  } finally {
    project.remove();
  }
}

function commandOf(tool: Tool, step: Step): string | undefined {
  if (step === 'generate' || step === 'compile') return tool[step];
  if (step === 'openapi32') {
    if (tool.generate === undefined || tool.document === 'openapi.json') return undefined;
    const again = [
      'rm -rf client* generated',
      'cp openapi.json openapi-3.1.json',
      tool.generate,
      tool.compile,
    ];
    return again.filter((command) => command !== undefined).join('\n');
  }
  return tool.call === undefined ? undefined : `rm -f speech.mp3; ${tool.call} ${step}`;
}

function expectResult(step: Step, printed: string, path: string): void {
  // Postman sends the example of each filter, so its list may be empty.
  if (step === 'json' && !/^\d+$/m.test(printed)) throw new Error(`no number of voices in: ${printed}`);
  if (step !== 'audio' && step !== 'stream') return;
  const { seconds } = measureAudio(readFileSync(path), 'mp3');
  if (seconds < 0.5) throw new Error(`speech.mp3 has ${seconds} s of sound`);
}

/** Replaces the results of the tools that were run; the site shows the file. */
export function writeResults(outcomes: ReadonlyMap<Tool, Outcome>): void {
  const earlier: readonly Tool[] = JSON.parse(readFileSync(resultsPath, 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  const rows = tools.flatMap((tool) => {
    const outcome = outcomes.get(tool);
    const row = earlier.find(({ id }) => id === tool.id);
    if (outcome === undefined) return row === undefined ? [] : [row];
    const { fails = {}, ...words } = tool;
    const shown = Object.entries(outcome).map(([step, { works, notRun }]) => [
      step,
      works ? 'works' : notRun ? `not run: ${notRun}` : `fails: ${fails[step as Step] ?? ''}`,
    ]);
    return [{ ...words, date, steps: Object.fromEntries(shown) }];
  });
  writeFileSync(resultsPath, `${JSON.stringify(rows, undefined, 2)}\n`);
}
