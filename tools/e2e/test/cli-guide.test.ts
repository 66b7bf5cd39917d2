import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocks } from './testing/code-blocks.ts';
import { useSpeech, wordsOf } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);
const start = 'npm run --silent speech -- ';

test.each(['apps/docs/src/content/docs/guides/command-line.mdx', 'apps/cli/README.md'])(
  'every line of %s runs',
  async (file) => {
    await writeFile(join(folder, 'book.txt'), 'Chapter 1\n\nIt rains.\n\nChapter 2\n\nIt pours.\n');
    const lines = codeBlocks([file])
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'))
      .filter((line) => line.startsWith(start));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const args = wordsOf(line.slice(start.length));
      const ran = await speech(args[0] === 'speak' ? [...args, '--force'] : args);
      expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.any(String)]);
    }
  },
);
