// Runs before a package is published, on any Node.
import { readFileSync } from 'node:fs';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const problems = [];
if (!process.env.npm_config_user_agent?.startsWith('pnpm/')) {
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
