import { verify } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import type { Stranger } from './changes.ts';
import { startStranger } from './proxy.ts';

/** A stranger's proxy sends whole bodies, so this is said of all of them. */
const ofTheProxy = 'audio-is-delivered-while-made';

/** What the judge said about one stranger beyond what it says about the good server. */
export interface Found {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly calls: number;
  readonly uncovered?: string;
}

/** Judges a stranger before a sandbox of its own by the default run. */
export async function judgeStranger(stranger: Stranger): Promise<Found> {
  const sandbox = await startSandbox();
  const proxy = await startStranger(sandbox.url, stranger.behave());
  try {
    const report = await verify({
      target: proxy.url,
      key: 'sandbox-key',
      limits: { idleMs: 30_000, totalMs: 120_000 },
    });
    const rulesOf = (severity: string): string[] => [
      ...new Set(
        report.findings
          .filter((each) => each.severity === severity && each.rule !== ofTheProxy)
          .map((each) => each.rule),
      ),
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
