// The last step of the build: the pages of the site, as Markdown, become part of the package.
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

copyFileSync(fileURLToPath(import.meta.resolve('@speech-api/docs/dist/llms-full.txt')), 'dist/docs.md');
