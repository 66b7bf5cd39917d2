import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { findViolations, importRules, type Manifest } from './import-rules.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const workspace: { packages: string[] } = parse(readFileSync(`${root}pnpm-workspace.yaml`, 'utf8'));
const paths = globSync(
  workspace.packages.map((pattern) => `${pattern}/package.json`),
  { cwd: root },
);
const manifests = paths.map((path): Manifest => JSON.parse(readFileSync(root + path, 'utf8')));
const violations = findViolations(manifests, importRules);
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.stdout.write(`${manifests.length} workspaces checked, ${violations.length} forbidden imports.\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
