import { verify } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import type { Stranger } from './changes.ts';
import { startStranger } from './proxy.ts';

/** What the judge said about one stranger beyond what it says about the good server. */
export interface Found {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly calls: number;
  readonly uncovered?: string;
}

/** Runs the default run, or the thorough one, against a stranger before a sandbox of its own. */
export async function judgeStranger(stranger: Stranger, thorough = false): Promise<Found> {
  const sandbox = await startSandbox();
  const proxy = await startStranger(sandbox.url, stranger.behave());
  try {
    const budget = thorough ? { calls: 10_000, characters: 1_000_000, audioSeconds: 100_000 } : {};
    const report = await verify({
      target: proxy.url,
      key: 'sandbox-key',
      budget,
      limits: { idleMs: 30_000, totalMs: 120_000 },
    });
    const rulesOf = (severity: string): string[] => [
      ...new Set(report.findings.filter((each) => each.severity === severity).map((each) => each.rule)),
    ];
    return {
      errors: rulesOf('error').sort(),
      warnings: rulesOf('warning').sort(),
      calls: report.run.spent.calls,
    };
  } catch (error) {
    return { errors: [], warnings: [], calls: 0, uncovered: String(error) };
  } finally {
    await proxy.close();
    await sandbox.close();
  }
}
