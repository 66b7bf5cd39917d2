import { readFileSync } from 'node:fs';
import type { Packed } from '@speech-api/run/packed';
import { type Consumer, compilers, forBrowsers, type Given, key, type Step } from './consumer.ts';
import { oldestNode, sampleOf } from './installers.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** All our packages, with the tools that most consumers use. */
export const everything: Consumer['install'] = ({ packages }) => ({
  packages,
  others: {
    '@types/node': '^24.0.0',
    '@swc/core': '^1.0.0',
    '@swc/jest': '^0.2.0',
    ai: '^7.0.0',
    esbuild: '^0.28.0',
    jest: '^30.0.0',
    ...Object.fromEntries(compilers),
    vite: '^8.0.0',
    vitest: '^5.0.0',
    webpack: '^5.100.0',
  },
});

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

const compiled = {
  all: { lib: ['es2023'], types: ['node'] },
  browser: { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
} as const;

const resolutions = { nodenext: 'nodenext', bundler: 'esnext' };

export const typescript: Consumer = {
  id: 'typescript',
  promise: 'TypeScript 5.7, 5.9 and 7, nodenext and bundler, with DOM and with Node alone',
  install: everything,
  files: ({ packages }) => {
    // Page entries and those of mediabunny need DOM types; entries for a missing framework need that framework.
    const forPages = ['audio/containers', 'audio/player', 'audio/player/worklet', 'sandbox/browser'];
    const settings = Object.entries(compiled).flatMap(([file, { lib, types }]) =>
      Object.entries(resolutions).map(([moduleResolution, module]) => {
        const compilerOptions = {
          ...{ module, moduleResolution, lib, types, target: 'es2022' },
          ...{ strict: true, skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: true },
        };
        const text = JSON.stringify({ compilerOptions, files: [`${file}.ts`] });
        return [`types/${file}-${moduleResolution}.json`, text] as const;
      }),
    );
    const usual = { module: 'nodenext', target: 'es2022', noEmit: true, types: ['node'] };
    return {
      ...Object.fromEntries(settings),
      'types/all.ts': everyEntry(packages, 'mock/jest', 'mock/vitest', ...forPages),
      'types/browser.ts': everyEntry(packages.filter(forBrowsers), 'audio/containers', 'client/node'),
      'types/loose.ts': `import { createSpeechClient } from '@speech-api/client';
const { speech } = createSpeechClient();
export const said = await speech.create({ text: 'Hello.', format: 'mp3' });
export const timed = await speech.streamWithTimestamps({ text: 'Hello.' }, { model: 's2-pro' });
`,
      // Compiler settings of an application without its own.
      'types/loose.json': JSON.stringify({
        compilerOptions: { ...usual, strict: false },
        files: ['loose.ts'],
      }),
    };
  },
  steps: () =>
    compilers.flatMap(([compiler]): Step[] => {
      const compile = (name: string) => [
        'node',
        `node_modules/${compiler}/bin/tsc`,
        '-p',
        `types/${name}.json`,
      ];
      const programs = Object.keys(compiled).flatMap((file) =>
        Object.keys(resolutions).map((resolution) => ({ command: compile(`${file}-${resolution}`) })),
      );
      return [...programs, { command: compile('loose') }];
    }),
};

/** Node runs the bundle without any package beside it, so it is complete and uses nothing from Node. */
const bundler = (id: string, command: readonly string[], prints: readonly RegExp[] = []): Consumer => ({
  id,
  promise: `${id}: a bundle for browsers, run with no package beside it`,
  install: everything,
  files: ({ url }) => ({
    [`bundles/start-${id}.mjs`]: `import { smoke } from './${id}.mjs'; console.log(await smoke('${url}'));`,
  }),
  steps: () => [
    { command, prints },
    {
      command: ['node', `start-${id}.mjs`],
      alone: [`bundles/start-${id}.mjs`, `bundles/${id}.mjs`],
      prints: [/^works: /],
    },
  ],
});

const esbuildOptions = ['--log-level=warning', '--bundle', '--format=esm', '--platform=browser'];
export const esbuild = bundler(
  'esbuild',
  ['esbuild', 'smoke.mjs', ...esbuildOptions, '--outfile=bundles/esbuild.mjs'],
  [/^$/],
);
export const vite = bundler('vite', ['vite', 'build', '--config', 'vite.config.mjs', '--logLevel', 'error']);
export const webpack = bundler('webpack', ['node', 'webpack.build.mjs']);

const callerOf = ({ url }: Given) => ({ SPEECH_BASE_URL: url, SPEECH_API_KEY: key });

export const jest: Consumer = {
  id: 'jest',
  promise:
    'Jest 30 on the oldest Node and this one: tests in CommonJS, with the lines of the README of the client',
  install: everything,
  files: () => ({ 'jest.config.cjs': sampleOf('packages/client/README.md', 'jest') }),
  steps: (given) =>
    ['node', oldestNode()].map((node) => ({
      // The file is named, because the vitest sample may be in the same folder.
      command: [node, 'node_modules/jest/bin/jest.js', 'speech.test.cjs'],
      environment: callerOf(given),
      prints: [/Tests: +4 passed/],
    })),
};

export const vitest: Consumer = {
  id: 'vitest',
  promise: 'vitest 5: the sample of the README of the mock',
  install: everything,
  files: () => ({ 'vitest/sample.test.ts': sampleOf('packages/mock/README.md', 'vitest') }),
  steps: () => [
    { command: ['node', 'node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest'], prints: ['1 passed'] },
  ],
};

/** A worker with its own `Request` and `ReadableStream` but without DOM or Node types. */
export const workers: Consumer = {
  id: 'workers',
  promise: '@cloudflare/workers-types 5: compiles without DOM and Node',
  install: ({ packages }) => ({
    packages: packages.filter(forBrowsers),
    others: { '@cloudflare/workers-types': '^5.0.0', typescript: '^7.0.0' },
  }),
  files: ({ packages }) => {
    const compilerOptions = {
      ...{ module: 'esnext', moduleResolution: 'bundler', lib: ['es2023'], target: 'es2022', strict: true },
      ...{ types: ['@cloudflare/workers-types'], skipLibCheck: false, noEmit: true },
    };
    const clients = packages.filter(forBrowsers);
    return {
      'types/all.ts': everyEntry(
        clients,
        'audio/containers',
        'client/node',
        'audio/player',
        'audio/player/worklet',
      ),
      'types/tsconfig.json': JSON.stringify({ compilerOptions, files: ['all.ts'] }),
    };
  },
  steps: () => [{ command: ['node', 'node_modules/typescript/bin/tsc', '-p', 'types'] }],
};

/** A page that is rendered on a server with its module, in which the base URL is a path. */
const pageClient = `import { createSpeechClient } from '@speech-api/client';
export const client = createSpeechClient({ baseUrl: '/speech', apiKey: null });
`;

/** Speaks in a route, with the key and the address of the environment. */
const speakingRoute = `import { createSpeechClient } from '@speech-api/client';
export const POST = async ({ request }) => {
  const audio = await createSpeechClient().speech.create({ text: await request.text() });
  return new Response(audio.body, { headers: { 'content-type': audio.contentType } });
};
`;

const spoken = `const answer = await fetch(process.argv[2], { method: 'POST', body: 'Good morning.' });
console.log(answer.headers.get('content-type'), (await answer.arrayBuffer()).byteLength);
`;

/** A real build and its server, with the route of the recipe. */
export const next: Consumer = {
  id: 'next',
  promise:
    'Next.js 16: next build with a page whose module makes a client; the route of its recipe answers, one at the edge, too',
  install: ({ packages }) => ({
    packages: packages.filter(forBrowsers),
    others: {
      ...{ next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
      ...{ typescript: '~5.9.0', '@types/node': '^24.0.0', '@types/react': '^19.0.0' },
    },
  }),
  files: () => ({
    'app/api/speech/route.ts': read('tools/recipes/recipes/http-next.ts'),
    'app/layout.tsx':
      'export default ({ children }: { children: React.ReactNode }) => <html lang="en"><body>{children}</body></html>;',
    'spoken.mjs': spoken,
    'refused.mjs': `const [, , route] = process.argv;
const form = await fetch(route, { method: 'POST', body: new URLSearchParams() });
console.log((await fetch(route)).status, form.status);
`,
    'app/api/edge/route.js': `export const runtime = 'edge';\n${speakingRoute.replace('({ request })', '(request)')}`,
    'app/page.tsx': `'use client';\n${pageClient}export default () => <audio controls src={client.settings.baseUrl} />;\n`,
  }),
  steps: (given) => [
    { command: ['next', 'build'], environment: callerOf(given) },
    {
      command: ['next', 'start', '-H', '127.0.0.1', '-p', '0'],
      environment: callerOf(given),
      serves: { as: 'next', answers: '/api/speech', request: { method: 'POST', body: 'Good morning.' } },
    },
    { command: ['node', 'refused.mjs', '{next}/api/speech'], prints: [/^405 415\n$/] },
    { command: ['node', 'spoken.mjs', '{next}/api/edge'], prints: [/^audio\/mpeg \d{4,}\n$/] },
  ],
};

export const sveltekit: Consumer = {
  id: 'sveltekit',
  promise: 'SvelteKit 2: vite build with a page whose module makes a client, and a route that speaks',
  install: ({ packages }) => ({
    packages: packages.filter(forBrowsers),
    others: {
      ...{ '@sveltejs/kit': '^2.0.0', '@sveltejs/adapter-node': '^5.0.0', svelte: '^5.0.0', vite: '^7.0.0' },
      '@sveltejs/vite-plugin-svelte': '^6.0.0',
    },
  }),
  files: () => ({
    'svelte.config.js':
      "import adapter from '@sveltejs/adapter-node';\nexport default { kit: { adapter: adapter(), csrf: { checkOrigin: false } } };\n",
    'vite.config.js':
      "import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n",
    'src/app.html': '<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    'src/routes/+page.svelte': `<script>\n${pageClient.replace('export ', '')}</script>\n<audio src={client.settings.baseUrl}></audio>\n`,
    'src/routes/speech/+server.js': speakingRoute,
    'spoken.mjs': spoken,
    // It prints no address that could be read from it.
    'serve.mjs': `process.env.PORT = '0'; process.env.HOST = '127.0.0.1';
const { server } = await import('./build/index.js');
server.server.once('listening', () => console.log('http://127.0.0.1:' + server.server.address().port));
`,
  }),
  steps: (given) => [
    { command: ['vite', 'build', '--logLevel', 'error'] },
    { command: ['node', 'serve.mjs'], environment: callerOf(given), serves: { as: 'kit', answers: '/' } },
    { command: ['node', 'spoken.mjs', '{kit}/speech'], prints: [/^audio\/mpeg \d{4,}\n$/] },
  ],
};

/** Tests in the pages of jsdom, whose Blob, File and AbortSignal are not those of Node. */
const jsdom = (
  major: number,
  page: number,
  prints: readonly (RegExp | string)[],
  fails: boolean,
): Consumer => ({
  id: `jsdom-vitest${major}`,
  promise: `Vitest ${major} with jsdom: ${fails ? 'one sentence names the environment to choose' : 'calls, uploads and a File'}`,
  install: ({ packages }) => ({
    packages: packages.filter(forBrowsers),
    others: { vitest: `^${major}.0.0`, jsdom: `^${page}.0.0` },
  }),
  files: ({ url }) => ({
    'page/page.test.js': `import { createSpeechClient } from '@speech-api/client';
import { expect, test } from 'vitest';
const client = createSpeechClient({ baseUrl: '${url}', apiKey: '${key}' });
test('a page speaks and is heard', async () => {
  const text = 'The ferry leaves at noon.';
  const bytes = await (await client.speech.create({ text, format: 'wav' })).bytes();
  const audio = new File([bytes], 'ferry.wav', { type: 'audio/wav' });
  const references = [{ audio, text }];
  const blob = await (await client.speech.create({ text: 'Hello there.', references })).blob();
  expect(blob.size).toBeGreaterThan(1000);
  expect((await client.transcriptions.create({ audio })).text).toContain('ferry');
  const stream = await client.speech.streamWithTimestamps({ text: 'Hi.' });
  expect((await stream.collect()).timeline.segments).toHaveLength(1);
});
`,
  }),
  steps: () => [
    {
      command: ['node', 'node_modules/vitest/vitest.mjs', 'run', '--root', 'page', '--environment', 'jsdom'],
      prints,
      fails,
    },
  ],
});

export const pages: readonly Consumer[] = [
  jsdom(3, 26, ['run the tests in the environment node'], true),
  jsdom(4, 27, ['1 passed'], false),
  jsdom(5, 27, ['1 passed'], false),
];
