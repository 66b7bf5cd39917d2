import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave } from '../measure/interleave.ts';
import { runNode, runProgram } from '../measure/run-child.ts';
import { typeCheckArguments } from '../measure/type-check.ts';
import type { Row } from '../row.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

export const coldImport: Row = {
  id: 'cold-import',
  what: 'cold import over bare Node',
  target: '<= +6 ms',
  async measure() {
    const load = (code: string) => async () => {
      await runNode(['--input-type=module', '-e', code], here);
    };
    const { bare, ours, peer } = await interleave(
      {
        bare: load('0'),
        ours: load("await import('@speech-api/client')"),
        peer: load("await import('openapi-fetch')"),
      },
      15,
    );
    return [
      {
        variant: 'added',
        ours: ours - bare,
        unit: 'ms',
        reference: { name: 'bare Node', value: bare },
        peers: [{ name: 'openapi-fetch added', value: peer - bare }],
        met: ours - bare <= 6,
      },
    ];
  },
};

export const typeCheck: Row = {
  id: 'type-check',
  what: 'type-check of a small consumer over raw fetch',
  target: '<= +0.10 s',
  async measure() {
    const check = (name: 'fetch' | 'client') => async () => {
      await runProgram('tsc', typeCheckArguments(name));
    };
    const { raw, ours } = await interleave({ raw: check('fetch'), ours: check('client') }, 7);
    return [
      {
        variant: 'added',
        ours: (ours - raw) / 1000,
        unit: 's',
        reference: { name: 'raw fetch', value: raw / 1000 },
        met: ours - raw <= 100,
      },
    ];
  },
};

export const commandStart: Row = {
  id: 'command-start',
  what: '`speech --version`, `speech --help` over bare Node',
  target: '<= +120 ms',
  async measure() {
    const speech = join(
      fileURLToPath(import.meta.resolve('@speech-api/cli/package.json')),
      '../dist/speech.js',
    );
    const show = (option: string) => async () => {
      await runNode([speech, option]);
    };
    const { bare, version, help } = await interleave(
      {
        bare: async () => {
          await runNode(['-e', '0']);
        },
        version: show('--version'),
        help: show('--help'),
      },
      15,
    );
    return Object.entries({ '--version': version, '--help': help }).map(([variant, milliseconds]) => ({
      variant,
      ours: milliseconds - bare,
      unit: 'ms' as const,
      reference: { name: 'bare Node', value: bare },
      met: milliseconds - bare <= 120,
    }));
  },
};
