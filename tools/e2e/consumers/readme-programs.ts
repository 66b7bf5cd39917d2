import { createSpeechClient } from '@speech-api/client';
import type { Packed } from '@speech-api/run/packed';
import { transformSync } from 'esbuild';
import { codeBlocks, root } from '../test/testing/code-blocks.ts';
import { type Given, key } from './consumer.ts';

// Its samples are fragments, which another test completes and runs.
const fragments = ['packages/server'];

/**
 * The programs in the READMEs of these packages and of the repository, as JavaScript, by the names of their files.
 *
 * @param others third-party packages that they may import
 */
export function readmePrograms(
  packages: readonly Packed[],
  others: readonly string[],
): Readonly<Record<string, string>> {
  const imports = (code: string) =>
    [...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name = '']) => name);
  const isThere = (name: string) =>
    name.startsWith('@speech-api/') || name === 'node' || others.includes(name);
  const folders = packages.map(({ source }) => source.slice(root.length).replaceAll('\\', '/'));
  const files = folders
    .filter((folder) => !fragments.includes(folder))
    .map((folder) => `${folder}/README.md`);
  const programs = codeBlocks(['README.md', ...files]).filter(
    ({ language, marks, code }) =>
      language === 'ts' &&
      (marks.length === 0 || marks.includes('node-test')) &&
      code.includes('import ') &&
      imports(code).every(isThere),
  );
  return Object.fromEntries(
    programs.map(({ file, line, code }) => {
      // The servers use any free port and end after their last line.
      const whole =
        file === 'packages/relay/README.md' ? `${code.replaceAll('3000', '0')}process.exit();` : code;
      const script = transformSync(whole, { loader: 'ts', target: 'es2022', format: 'esm' });
      return [`${file.replaceAll(/[/.]/g, '-')}-${line}.mjs`, script.code];
    }),
  );
}

export async function recordings({ url }: Given): Promise<Readonly<Record<string, Uint8Array>>> {
  const { speech } = createSpeechClient({ baseUrl: url, apiKey: key });
  const text = 'The words of the sample.';
  const bytes = async (format: 'wav' | 'mp3') => (await speech.create({ text, format })).bytes();
  return { 'sample.wav': await bytes('wav'), 'interview.mp3': await bytes('mp3') };
}
