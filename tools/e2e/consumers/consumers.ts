import { dirname, join } from 'node:path';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import type { Packed } from '@speech-api/run/packed';
import { findNode } from '../runtimes/testing/find-runtime.ts';
import {
  esbuild,
  everything,
  jest,
  next,
  pages,
  sveltekit,
  typescript,
  vite,
  vitest,
  webpack,
  workers,
} from './builds.ts';
import { type Consumer, forBrowsers, type Given, key, namedPackages, type Step } from './consumer.ts';
import { exit } from './exit.ts';
import { installers, oldestNode } from './installers.ts';
import { readmePrograms, recordings } from './readme-programs.ts';
import { reusableWorkflow } from './workflow.ts';

const runsOnNode20 = ({ manifest }: Packed): boolean => manifest.engines.node.startsWith('^20.19');

/** The packages that applications install; the sandbox's engine is one of them. */
const installedByName = namedPackages(
  ...['client', 'live', 'streaming', 'recordings', 'ai-sdk', 'contract', 'mock', 'relay', 'cli', 'mcp'],
  ...['sandbox', 'engine-espeak'],
);

const sampleImports = {
  ai: '^7.0.0',
  zod: '^4.0.0',
  hono: '^4.0.0',
  '@hono/node-server': '^2.0.0',
};

const caller = ({ url }: Given) => ({ SPEECH_BASE_URL: url, SPEECH_API_KEY: key });

const programSteps = (programs: object, given: Given, node: readonly string[] = ['node']): Step[] =>
  Object.keys(programs).map((file) => ({
    command: [...node, file],
    environment: caller(given),
    printsNo: /warning|error/i,
  }));

/** Starts every server and runs the judge and the command; `start` precedes each name. */
const commandSteps = (start: (name: string) => readonly string[]): Step[] => [
  {
    command: [...start('speech-sandbox'), '--port', '0'],
    serves: {
      as: 'sandbox',
      answers: '/v1/tts',
      request: {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, model: 's2-pro', 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello.' }),
      },
    },
  },
  { command: [...start('speech-mock'), '--port', '0'], serves: { as: 'mock', answers: '/model' } },
  {
    command: start('speech-relay'),
    environment: {
      SPEECH_API_KEY: key,
      SPEECH_WEBSOCKET_URL: '{sandboxSocket}',
      SPEECH_RELAY_PORT: '0',
      SPEECH_RELAY_ORIGINS: 'http://127.0.0.1',
      SPEECH_RELAY_TICKET_SECRET: 'a secret of thirty-two bytes, or more',
    },
    serves: { as: 'relay', answers: '/health' },
  },
  {
    command: [...start('speech-contract'), 'verify', '--target', '{sandbox}', '--max-calls', '20'],
    environment: { SPEECH_API_KEY: key },
  },
  { command: [...start('speech-mcp'), '--help'] },
  {
    command: [...start('speech'), 'voices', 'list'],
    environment: { SPEECH_BASE_URL: '{sandbox}', SPEECH_API_KEY: key },
    prints: ['sandbox-alba'],
  },
];

/** On a Node that cannot link them, the sandbox and the judge end with one sentence, also in a program. */
const refusedOnOldNode = (): Step[] =>
  [
    ...['sandbox', 'contract'].map((name) => [`node_modules/@speech-api/${name}/dist/bin.js`, '--version']),
    [
      '--eval',
      `import('@speech-api/sandbox').then(({ startSandbox }) => startSandbox())
        .catch(({ message }) => { console.error(message); process.exit(2); })`,
    ],
  ].map((words) => ({
    command: [oldestNode(), ...words],
    fails: true,
    prints: [/\n.*2[24]\.1[28]\.0 or newer.*\n$/],
    printsNo: / {4}at /,
  }));

/** The packages as one package manager lays them out, in one folder. */
function installed(
  installer: keyof typeof installers,
  more: (given: Given) => readonly Step[] = () => [],
): Consumer {
  const { start, node } = installers[installer];
  const isUsed = installer === 'npm' ? () => true : installedByName;
  const programs = ({ packages }: Given) =>
    readmePrograms(packages.filter(isUsed), Object.keys(sampleImports));
  return {
    id: installer,
    promise: 'the programs of the READMEs run; sandbox, mock, relay, judge and `speech` start',
    install:
      installer === 'npm'
        ? everything
        : ({ packages }) => ({
            installer,
            packages: packages.filter(isUsed),
            others: sampleImports,
          }),
    files: async (given) => ({
      ...programs(given),
      ...(await recordings(given)),
    }),
    steps: (given) => [
      ...programSteps(programs(given), given, node),
      ...commandSteps((name) => [...start, name]),
      ...more(given),
    ],
  };
}

/** Each program from its own package, with nothing installed in the folder. */
const npx: Consumer = {
  id: 'npx',
  promise: '`npx -p` starts sandbox, mock, relay, judge and `speech`',
  install: () => ({ packages: [] }),
  steps: () => {
    const packages: Readonly<Record<string, readonly string[]>> = {
      'speech-sandbox': ['sandbox', 'engine-espeak'],
      'speech-mock': ['mock'],
      'speech-relay': ['relay'],
      'speech-contract': ['contract'],
      'speech-mcp': ['mcp'],
      speech: ['cli'],
    };
    const steps = commandSteps((name) => [
      ...['npx', '--yes'],
      ...(packages[name] ?? []).flatMap((name) => ['-p', `@speech-api/${name}`]),
      ...['--', name],
    ]);
    // npx caches packages by version, and ours changes while the version stays the same.
    const ownCache = { npm_config_cache: '.npm' };
    return steps.map((step) => ({ ...step, environment: { ...step.environment, ...ownCache } }));
  },
};

/** All packages, installed on each Node version: none may depend on a package that needs a newer one. */
function node(id: string, version: string): Consumer {
  const programs = ({ packages }: Given) => readmePrograms(packages.filter(runsOnNode20), []);
  return {
    id,
    promise: `Node ${version}: the install is strict, the programs of the READMEs run, require() reads the packages`,
    install: ({ packages }) => ({
      packages: packages.filter(runsOnNode20),
      node: dirname(findNode(version).path),
      options: ['--engine-strict'],
    }),
    files: async (given) => ({
      ...programs(given),
      ...(await recordings(given)),
      'required.cjs':
        'for (const name of process.argv.slice(2)) if (Object.keys(require(name)).length === 0) throw new Error(name);',
    }),
    steps: (given) => [
      ...programSteps(programs(given), given),
      {
        command: [
          ...['node', '--no-warnings', 'required.cjs'],
          ...given.packages.filter(forBrowsers).map(({ manifest }) => manifest.name),
        ],
      },
    ],
  };
}

/** `speech` from its archive only, on the oldest Node. */
const speech: Consumer = {
  id: 'speech-node20',
  promise:
    '`speech` alone on the oldest Node does what its help names, and brings only the decoders under the LGPL',
  install: ({ packages }) => ({
    packages: packages.filter(namedPackages('cli')),
    node: dirname(oldestNode()),
  }),
  files: () => ({ 'book.md': '# One\n\nThe ferry leaves at noon.\n\n# Two\n\nThe gulls leave with it.\n' }),
  steps: (given, { folder }) => {
    const version = given.packages.find(namedPackages('cli'))?.manifest.version ?? '';
    // The LGPL decoders and their dependencies, which users can replace.
    const decoders = ['@eshaz', '@wasm-audio-decoders', 'codec-parser', 'mpg123-decoder', 'simple-yenc'];
    const list =
      "console.log(fs.readdirSync('node_modules').filter((name) => /^[^.]/.test(name)).sort().join())";
    const environment = { ...caller(given), SPEECH_CONFIG: join(folder, 'config.json') };
    const shows = (args: readonly string[], expected: RegExp): Step => ({
      command: ['speech', ...args],
      environment,
      prints: [expected],
    });
    return [
      { command: ['node', '-e', list], prints: [`${['@speech-api', ...decoders].sort().join()}\n`] },
      shows(['--version'], new RegExp(`^${version}\\n$`)),
      shows(['--help'], /Usage: speech[\s\S]*Examples:/),
      shows(['speak', 'The ferry leaves at noon.', '-o', 'ferry.wav'], /^wrote ferry\.wav, [\d.]+ kB\n$/),
      shows(
        ['speak', 'book.md', '-o', 'book.mp3', '--captions', 'vtt'],
        /^wrote book\.mp3, [\d.]+ kB, book\.vtt\n$/,
      ),
      // Recordings are read in the worker, which is a separate file.
      shows(['transcribe', 'ferry.wav'], /The ferry leaves at noon/),
      shows(['transcribe', 'book.mp3'], /The ferry leaves at noon/),
      shows(['voices', 'list'], /sandbox-alba/),
      shows(['live', 'Good morning.', '-o', 'live.mp3'], /live\.mp3/),
      shows(['wallet'], /credit/),
      shows(['doctor'], new RegExp(`${version}[\\s\\S]*service +reached and the key works`)),
      shows(['complete', 'powershell'], /speech/),
    ];
  },
};

/** Each version of Node that SUPPORT.md promises, the oldest first. */
const [oldest, ...newer] = supported.node.map(({ major, tested }) => node(`node${major}`, tested));

/** All consumers, in the order in which they run. */
export const consumers: readonly Consumer[] = [
  installed('npm', refusedOnOldNode),
  ...(oldest ? [oldest] : []),
  speech,
  typescript,
  vite,
  jest,
  vitest,
  reusableWorkflow,
  exit,
  npx,
  installed('pnpm'),
  installed('yarn-1'),
  installed('bun', ({ url }) => [
    { command: [installers.bun.install[0] ?? '', 'program-command.mjs', url], prints: [/^works: /] },
  ]),
  esbuild,
  webpack,
  ...newer,
  workers,
  next,
  sveltekit,
  ...pages,
];
