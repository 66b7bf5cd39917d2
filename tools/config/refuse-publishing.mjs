// Runs before a package is published, on any Node.
import { readFileSync } from 'node:fs';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const problems = [];
// npm hands an inherited user agent on, so the program itself is looked at.
if (!/pnpm[^/\\]*$/.test(process.env.npm_execpath ?? '')) {
  problems.push(
    'Use pnpm publish: npm would publish the references `workspace:` and `catalog:`, which nobody can install.',
  );
}
if (/\.example\//.test(repository.url)) {
  problems.push(
    `The repository is still a placeholder: ${repository.url}. Set repository, homepage and bugs in package.json.`,
  );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
