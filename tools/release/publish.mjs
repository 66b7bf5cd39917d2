// `node publish.mjs FOLDER next|check|latest`: the last steps of a release, on what `npm run release` has left in FOLDER.
// They need nothing but npm, so that the job that may publish installs and builds nothing. A person performs `latest`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [, , folder = '', step = ''] = process.argv;
const steps = {
  /** Publishes under the tag `next`, with provenance. Published versions are skipped, so that a run can be repeated. */
  next(spec, { archive, integrity }) {
    if (view(spec, 'dist.integrity') === integrity) return 'is published already';
    // npm reads `release/x.tgz` as a repository on GitHub.
    npm('publish', resolve(folder, archive), '--tag', 'next', '--access', 'public', '--provenance');
    return 'published as next';
  },
  /** Checks that the registry has these bytes, with the commit and workflow of their origin. */
  check(spec, { integrity }) {
    if (view(spec, 'dist.integrity') !== integrity)
      throw new Error(`${spec} has other bytes in the registry.`);
    const proof = view(spec, 'dist.attestations.provenance.predicateType');
    if (proof !== 'https://slsa.dev/provenance/v1') throw new Error(`${spec} has no provenance.`);
    return 'has provenance';
  },
  /** Makes it the version that `npm install` picks. npm requires a logged-in person for this. */
  latest(spec) {
    npm('dist-tag', 'add', spec, 'latest');
    return 'is latest';
  },
};

/** Refuses an archive that `next` could not publish, so that a release does not stop halfway. */
function checkPublishable(spec, { archive, integrity }) {
  const bytes = readFileSync(join(folder, archive));
  if (`sha512-${createHash('sha512').update(bytes).digest('base64')}` !== integrity)
    throw new Error(`${archive} is not the archive that was checked.`);
  const published = view(spec, 'dist.integrity');
  if (published && published !== integrity)
    throw new Error(
      `${spec} has other bytes in the registry. Raise its version. This run has published nothing.`,
    );
}

function npm(...args) {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

/** One field of a published version; undefined if it is not published. */
function view(spec, field) {
  try {
    return execFileSync('npm', ['view', spec, field], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    if (String(error.stderr).includes('E404')) return undefined;
    throw error;
  }
}

try {
  if (!Object.hasOwn(steps, step))
    throw new Error(`Unknown step "${step}". Use one of ${Object.keys(steps).join(', ')}.`);
  const { packages } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'));
  const specOf = ({ name, version }) => `${name}@${version}`;
  if (step === 'next') for (const item of packages) checkPublishable(specOf(item), item);
  for (const item of packages) process.stdout.write(`${specOf(item)} ${steps[step](specOf(item), item)}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
