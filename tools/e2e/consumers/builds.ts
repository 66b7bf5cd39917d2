import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from '@speech-api/run/packed';
import { codeBlocks } from '../test/testing/code-blocks.ts';
import { type Consumer, compilers, forBrowsers, key, versionOf } from './consumer.ts';
import type { Project } from './project.ts';

const firstDay = new URL('../../../packages/client/test/mistakes/first-day.ts', import.meta.url);

/** Every entry of these packages but the named ones, in one program. */
const everyEntry = (packages: readonly Packed[], ...but: readonly string[]): string =>
  packages
    .flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {})
        .filter(([, entry]) => typeof entry !== 'string')
        .map(([path]) => manifest.name + path.slice(1)),
    )
    .filter((name) => !but.some((entry) => name === `@speech-api/${entry}`))
    .map((name, index) => `import * as entry${index} from '${name}';\nexport { entry${index} };\n`)
    .join('');

export const typescript: Consumer = {
  id: 'typescript',
  async use({ packages, shared }) {
    const { folder, run, write } = await shared();
    // A page's own entries need DOM; those for a framework need the framework, which is optional.
    const forPages = ['audio/player', 'audio/player/worklet', 'sandbox/browser'];
    const forFrameworks = ['mock/vitest', 'mock/jest', 'relay/hono', 'relay/fastify'];
    write('types/all.ts', everyEntry(packages, ...forFrameworks, ...forPages));
    write('types/browser.ts', everyEntry(packages.filter(forBrowsers), 'client/node'));
    write(
      'types/loose.ts',
      `import { createSpeechClient } from '@speech-api/client';
const { speech } = createSpeechClient();
export const said = await speech.create({ text: 'Hello.', format: 'mp3' });
export const timed = await speech.streamWithTimestamps({ text: 'Hello.' }, { model: 's2-pro' });
`,
    );
    // The mistakes of a first day, each with words that name it in every version.
    const mistakes = readFileSync(firstDay, 'utf8').replace('../../src/index.ts', '@speech-api/client');
    const expected = [...mistakes.matchAll(/ Says: (.*)$/gm)].map(([, words = '']) => words);
    write('types/mistakes.ts', mistakes);
    const strict = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
    write('types/mistakes.json', JSON.stringify({ compilerOptions: strict }));
    const versions: string[] = [];
    for (const [compiler] of compilers) {
      const manifest = JSON.parse(
        readFileSync(join(folder, 'node_modules', compiler, 'package.json'), 'utf8'),
      );
      versions.push(manifest.version);
      for (const [module, moduleResolution] of [
        ['nodenext', 'nodenext'],
        ['esnext', 'bundler'],
      ]) {
        for (const [file, lib, types, strict] of [
          ['all.ts', ['es2023'], ['node'], true],
          ['browser.ts', ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], [], true],
          // As an application without settings of its own is compiled.
          ['loose.ts', ['es2023'], ['node'], false],
        ]) {
          const compilerOptions = {
            ...{ module, moduleResolution, lib, types, target: 'es2022' },
            ...{ strict, skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: strict },
          };
          write('types/tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
          await run('node', [`node_modules/${compiler}/bin/tsc`, '-p', 'types']);
        }
      }
      write('types/tsconfig.json', JSON.stringify({ extends: './mistakes.json', files: ['mistakes.ts'] }));
      const said = await run('node', [`node_modules/${compiler}/bin/tsc`, '-p', 'types']).then(
        () => '',
        (error: Error) => error.message,
      );
      const unsaid = expected.filter((words) => !said.includes(words));
      if (unsaid.length > 0)
        throw new Error(`TypeScript ${manifest.version} does not say:\n${unsaid.join('\n')}`);
    }
    return `TypeScript ${versions.join(', ')}: nodenext and bundler, with DOM and with Node's types alone; ${expected.length} mistakes named`;
  },
};

function bundler(id: string, bundle: (project: Project) => Promise<void>): Consumer {
  return {
    id,
    async use({ url, install, shared }) {
      const project = await shared();
      await bundle(project);
      // Node reads it with no package beside it: the bundle is complete, and uses nothing of Node.
      const elsewhere = await install({ packages: [] });
      try {
        elsewhere.write('bundle.mjs', readFileSync(join(project.folder, 'bundles', `${id}.mjs`), 'utf8'));
        const start = `import { smoke } from './bundle.mjs'; console.log(await smoke(${JSON.stringify(url)}));`;
        elsewhere.write('start.mjs', start);
        const output = await elsewhere.run('node', ['start.mjs']);
        if (!output.startsWith('works: ')) throw new Error(output);
      } finally {
        elsewhere.remove();
      }
      return `${id} ${versionOf(project, id)}: a browser bundle, run`;
    },
  };
}

export const esbuild = bundler('esbuild', async ({ run }) => {
  const options = ['--bundle', '--format=esm', '--platform=browser', '--outfile=bundles/esbuild.mjs'];
  const output = await run('esbuild', ['smoke.mjs', '--log-level=warning', ...options]);
  if (output !== '') throw new Error(output);
});

export const vite = bundler('vite', async ({ run }) => {
  await run('vite', ['build', '--config', 'vite.config.mjs', '--logLevel', 'error']);
});

export const webpack = bundler('webpack', async ({ run }) => {
  await run('node', ['webpack.build.mjs']);
});

export const jest: Consumer = {
  id: 'jest',
  async use({ url, shared }) {
    const project = await shared();
    const [lines] = codeBlocks(['packages/client/README.md']).filter(({ marks }) => marks.includes('jest'));
    project.write('jest.config.cjs', lines?.code ?? '');
    const environment = { SPEECH_BASE_URL: url, SPEECH_API_KEY: key };
    for (const node of ['node', process.execPath]) {
      const output = await project.run(node, ['node_modules/jest/bin/jest.js'], environment);
      if (!/Tests: +4 passed/.test(output)) throw new Error(output);
    }
    return `jest ${versionOf(project, 'jest')}: tests in CommonJS, with the lines of the README`;
  },
};

export const vitest: Consumer = {
  id: 'vitest',
  async use({ shared }) {
    const project = await shared();
    const [block] = codeBlocks(['packages/mock/README.md']).filter(({ marks }) => marks.includes('vitest'));
    project.write('vitest/sample.test.ts', block?.code ?? '');
    const output = await project.run(process.execPath, [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--root',
      'vitest',
    ]);
    if (!output.includes('1 passed')) throw new Error(output);
    return `vitest ${versionOf(project, 'vitest')}: the sample of the mock`;
  },
};

/** A worker, which has its own `Request` and `ReadableStream`, and neither DOM nor Node. */
export const workers: Consumer = {
  id: 'workers',
  async use({ packages, install }) {
    const own = packages.filter(forBrowsers);
    const project = await install({
      packages: own,
      others: { '@cloudflare/workers-types': '^5.0.0', typescript: '^7.0.0' },
    });
    try {
      project.write('types/all.ts', everyEntry(own, 'client/node', 'audio/player', 'audio/player/worklet'));
      const compilerOptions = {
        ...{ module: 'esnext', moduleResolution: 'bundler', lib: ['es2023'], target: 'es2022', strict: true },
        ...{ types: ['@cloudflare/workers-types'], skipLibCheck: false, noEmit: true },
      };
      project.write('types/tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.ts'] }));
      await project.run('node', ['node_modules/typescript/bin/tsc', '-p', 'types']);
      return `@cloudflare/workers-types ${versionOf(project, '@cloudflare/workers-types')}: compiles without DOM and Node`;
    } finally {
      project.remove();
    }
  },
};

/** A real build and the server that it makes, with the route of the recipe. */
export const next: Consumer = {
  id: 'next',
  async use({ packages, url, install }) {
    const project = await install({
      packages: packages.filter(forBrowsers),
      others: {
        ...{ next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
        ...{ typescript: '~5.9.0', '@types/node': '^24.0.0', '@types/react': '^19.0.0' },
      },
    });
    try {
      const recipe = readFileSync(new URL('../../recipes/recipes/http-next.ts', import.meta.url), 'utf8');
      project.write('app/api/speech/route.ts', recipe);
      const layout =
        'export default ({ children }: { children: React.ReactNode }) => <html lang="en"><body>{children}</body></html>;';
      project.write('app/layout.tsx', layout);
      project.write('app/page.tsx', 'export default () => <audio controls src="/api/speech?text=Hello." />;');
      const environment = { SPEECH_BASE_URL: url, SPEECH_API_KEY: key, NEXT_TELEMETRY_DISABLED: '1' };
      await project.run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], environment);
      const start = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', '0'];
      await using server = await project.serve(process.execPath, start, environment);
      const route = `${server.url}/api/speech`;
      const refused = [
        await fetch(route),
        await fetch(route, { method: 'POST', body: new URLSearchParams() }),
      ];
      const statuses = refused.map(({ status }) => status).join(' ');
      if (statuses !== '405 415') throw new Error(`a GET and a form are answered with ${statuses}`);
      const response = await fetch(route, { method: 'POST', body: 'Good morning.' });
      const size = (await response.arrayBuffer()).byteLength;
      if (response.status !== 200 || size < 1000) {
        throw new Error(`the route answers ${response.status}, ${size} bytes`);
      }
      return `next ${versionOf(project, 'next')}: next build, and its route answers`;
    } finally {
      project.remove();
    }
  },
};
