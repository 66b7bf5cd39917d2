import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Installed beside this file where it runs, and not in this repository.
const webpack = createRequire(import.meta.url)('webpack');

const compiler = webpack({
  mode: 'production',
  target: 'web',
  entry: './smoke.mjs',
  experiments: { outputModule: true },
  output: {
    path: fileURLToPath(new URL('bundles', import.meta.url)),
    filename: 'webpack.mjs',
    library: { type: 'module' },
    // One file: what is loaded on demand is inside.
    asyncChunks: false,
  },
  performance: { hints: false },
});
compiler.run((error, stats) => {
  if (error) throw error;
  const { errors, warnings } = stats.toJson({ errors: true, warnings: true });
  if (errors.length + warnings.length > 0)
    throw new Error(JSON.stringify([...errors, ...warnings], undefined, 2));
});
