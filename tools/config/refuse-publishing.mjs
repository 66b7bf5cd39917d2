// Runs before a package is published from its folder. Only the archives that `npm run release` has checked are published.
process.stderr.write('Packages are published by the release workflow, .github/workflows/release.yml.\n');
process.exitCode = 1;
