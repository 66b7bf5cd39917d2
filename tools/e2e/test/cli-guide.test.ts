import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocks } from './testing/code-blocks.ts';
import { pixel, useSpeech, wordsOf } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);
const start = 'npm run --silent speech -- ';
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test.each(['apps/docs/src/content/docs/guides/command-line.mdx', 'apps/cli/README.md'])(
  'every line of %s runs',
  async (file) => {
    await writeFile(join(folder, 'book.txt'), 'Chapter 1\n\nIt rains.\n\nChapter 2\n\nIt pours.\n');
    await writeFile(join(folder, 'sea.jpg'), pixel);
    const lines = codeBlocks([file])
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'))
      .filter((line) => line.startsWith(start));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const args = wordsOf(line.slice(start.length));
      const ran = await speech(args[0] === 'speak' ? [...args, '--force'] : args);
      // Without ffmpeg, the line says so, and what works in its place.
      const isRefused = args.some((word) => word.endsWith('.m4b')) && !hasFfmpeg;
      expect([line, ran.code, ran.stderr]).toEqual(
        isRefused ? [line, 2, expect.stringContaining('needs ffmpeg')] : [line, 0, expect.any(String)],
      );
      if (args.includes('book.m4b') && hasFfmpeg) {
        const shown = ['-v', 'error', '-show_chapters', '-show_format', '-of', 'json', 'book.m4b'];
        const { stdout } = spawnSync('ffprobe', shown, { cwd: folder, encoding: 'utf8' });
        expect(JSON.parse(stdout)).toMatchObject({
          chapters: [{ tags: { title: 'Chapter 1' } }, { tags: { title: 'Chapter 2' } }],
          format: { tags: { title: 'The Sea', artist: 'Ann Author' } },
        });
      }
    }
  },
);
