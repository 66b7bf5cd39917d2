import { generateFiles, readSources } from './generate.ts';
import { writeOutput } from './output.ts';

const files = await generateFiles(readSources());
const changed = writeOutput(files);
console.log(
  `${files.size} files generated, ${changed.length} changed${changed.map((path) => `\n  ${path}`).join('')}`,
);
