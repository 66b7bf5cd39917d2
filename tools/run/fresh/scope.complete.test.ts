import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

test('another scope needs one replacement in all files, and the edits that the page of tools/release names', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const page = text('tools/release/README.md');
  // As the scope stands in settings, such as `speech-api:`, and in names of archives, such as `speech-api-spec-*.tgz`.
  const bare = /(?<![\w@.-])speech-api(?::\s*$|-\w+-[*\d])|@speech-api/m;
  const left = files
    .filter(
      (file) =>
        file !== '' && file !== 'tools/run/fresh/scope.complete.test.ts' && existsSync(join(root, file)),
    )
    .filter((file) => bare.test(text(file).replaceAll('@speech-api', '@your-scope')));
  expect(left.filter((file) => !page.includes(file))).toEqual([]);
  expect(left).toHaveLength(2);
});
