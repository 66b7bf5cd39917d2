import { generateFiles } from './generate.ts';
import { writeOutput } from './output.ts';
import { readSources } from './sources.ts';

const start = performance.now();
const files = await generateFiles(await readSources());
const changed = await writeOutput(files);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `${files.size} files of @speech-api/types in ${seconds} s, ${changed.length} changed${changed.length > 0 ? `: ${changed.join(', ')}` : ''}`,
);
