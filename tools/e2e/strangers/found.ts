import { verify } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import { startProxy } from '../mutants/start-proxy.ts';
import type { Stranger } from './stranger.ts';

/** The judge's findings about one stranger. */
export interface Found {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly uncovered?: string;
}

/** Judges a stranger before a sandbox of its own by the default run. */
export async function judgeStranger([, , behave]: Stranger): Promise<Found> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  proxy.interfere({ concerns: () => true, ...(typeof behave === 'function' ? behave() : behave) });
  try {
    const limits = { idleMs: 30_000, totalMs: 120_000 };
    const { findings } = await verify({ target: proxy.url, key: 'sandbox-key', limits });
    const rulesOf = (severity: string) =>
      [...new Set(findings.filter((each) => each.severity === severity).map(({ rule }) => rule))].sort();
    return { errors: rulesOf('error'), warnings: rulesOf('warning') };
  } catch (error) {
    return { errors: [], warnings: [], uncovered: String(error) };
  } finally {
    await proxy.close();
    await sandbox.close();
  }
}
