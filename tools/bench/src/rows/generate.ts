import { fileURLToPath } from 'node:url';
import { interleave } from '../measure/interleave.ts';
import { runNode } from '../measure/run-child.ts';
import type { Row } from '../row.ts';

const generator = fileURLToPath(new URL('../../../codegen/src/main.ts', import.meta.url));

/** The whole command as a developer runs it, so that the start of Node and of the compiler count, too. */
export const generation: Row = {
  id: 'generate',
  what: 'generate everything from the spec',
  target: '<= 3 s',
  async measure() {
    const { bare, ours } = await interleave(
      {
        bare: async () => {
          await runNode(['-e', '0']);
        },
        ours: async () => {
          await runNode([generator]);
        },
      },
      3,
    );
    return [
      {
        ours: ours / 1000,
        unit: 's',
        reference: { name: 'bare Node', value: bare / 1000 },
        met: ours <= 3000,
      },
    ];
  },
};
