import { fileURLToPath } from 'node:url';
import { interleave, type Result, type Row } from '../measure.ts';
import { runProgram, speech } from '../processes.ts';
import { typeCheckArguments } from '../sizes.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const node =
  (...args: readonly string[]) =>
  async () =>
    void (await runProgram(process.execPath, args, here));

const coldImport: Row = {
  id: 'cold-import',
  what: 'cold import over bare Node',
  target: '<= +6 ms',
  async measure() {
    const load = (code: string) => node('--input-type=module', '-e', code);
    const ours = load("await import('@speech-api/client')");
    const peer = load("await import('openapi-fetch')");
    const taken = await interleave({ bare: load('0'), ours, peer }, 15);
    const added = taken.ours - taken.bare;
    const references = { 'bare Node': taken.bare, 'openapi-fetch added': taken.peer - taken.bare };
    return [{ variant: 'added', ours: added, unit: 'ms', references, met: added <= 6 }];
  },
};

const typeCheck: Row = {
  id: 'type-check',
  what: 'type-check of a small consumer over raw fetch',
  target: '<= +0.10 s',
  async measure() {
    const check = (name: 'fetch' | 'client') => async () =>
      void (await runProgram('tsc', typeCheckArguments(name)));
    const { raw, ours } = await interleave({ raw: check('fetch'), ours: check('client') }, 7);
    const added = (ours - raw) / 1000;
    return [
      {
        variant: 'added',
        ours: added,
        unit: 's',
        references: { 'raw fetch': raw / 1000 },
        met: added <= 0.1,
      },
    ];
  },
};

const commandStart: Row = {
  id: 'command-start',
  what: '`speech --version`, `speech --help` over bare Node',
  target: '<= +120 ms',
  async measure() {
    const { bare, ...ours } = await interleave(
      { bare: node('-e', '0'), '--version': node(speech, '--version'), '--help': node(speech, '--help') },
      15,
    );
    return Object.entries(ours).map(([variant, taken]): Result => {
      return {
        variant,
        ours: taken - bare,
        unit: 'ms',
        references: { 'bare Node': bare },
        met: taken - bare <= 120,
      };
    });
  },
};

/** The whole command as a developer runs it, so that the start of Node and of the compiler count, too. */
const generation: Row = {
  id: 'generate',
  what: 'generate everything from the spec',
  target: '<= 3 s',
  async measure() {
    const generator = fileURLToPath(new URL('../../../codegen/src/main.ts', import.meta.url));
    const { bare, ours } = await interleave({ bare: node('-e', '0'), ours: node(generator) }, 3);
    return [{ ours: ours / 1000, unit: 's', references: { 'bare Node': bare / 1000 }, met: ours <= 3000 }];
  },
};

export const starts: readonly Row[] = [coldImport, typeCheck, commandStart, generation];
