import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { transformSync } from 'esbuild';
import { codeBlocks, root } from '../test/testing/code-blocks.ts';
import { installProject, type Packed, type Project, programOf } from './project.ts';

/** What a consumer needs from the run that it is part of. */
export interface Surroundings {
  readonly packages: readonly Packed[];
  /** Address of a sandbox. */
  readonly url: string;
  /** The project that most consumers share: everything of ours installed with npm, beside the tools that they use. */
  shared(): Promise<Project>;
}

/** One way to use the packages. It throws when it does not work, and resolves with what it used. */
export interface Consumer {
  readonly id: string;
  /** Whether it is part of `npm run test:full`; the others run in a workflow of their own. */
  readonly quick: boolean;
  use(surroundings: Surroundings): Promise<string>;
}

/** The tools of the shared project. TypeScript is there in three versions, under names of their own. */
export const sharedTools = {
  '@types/node': '^24.0.0',
  '@swc/core': '^1.0.0',
  '@swc/jest': '^0.2.0',
  ai: '^7.0.0',
  esbuild: '^0.28.0',
  jest: '^30.0.0',
  'typescript-5.7': 'npm:typescript@~5.7.0',
  'typescript-5.9': 'npm:typescript@~5.9.0',
  typescript: '^7.0.0',
  vite: '^8.0.0',
  vitest: '^5.0.0',
  webpack: '^5.100.0',
} as const;

const key = 'sandbox-key';
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

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

const runsOnNode20 = ({ manifest }: Packed): boolean => manifest.engines.node.startsWith('^20.19');

/** The packages that are for browsers and workers as well, so that they may not lean on Node's types. */
const forBrowsers = ({ manifest }: Packed): boolean =>
  ['types', 'audio', 'msgpack', 'streaming', 'client'].some(
    (name) => manifest.name === `@speech-api/${name}`,
  );

function node(id: string, range: string, quick: boolean): Consumer {
  return {
    id,
    quick,
    async use({ packages, url, shared }) {
      const { folder, run } = await shared();
      const own = await installProject({ packages: [], others: { [nodePackage]: range } });
      try {
        const program = join(own.folder, 'node_modules', nodePackage, 'bin/node');
        const version = (await run(program, ['--version'])).trim();
        const usable = packages.filter((packed) => runsOnNode20(packed) || !version.startsWith('v20.'));
        const names = usable.map(({ source }) => source.slice(root.length));
        const programs = await writePrograms(folder, names, version, url);
        const environment = { SPEECH_BASE_URL: url, SPEECH_API_KEY: key };
        const ran = programs.map(async (file) => {
          const output = await run(program, [file], environment);
          if (/warning|error/i.test(output)) throw new Error(`${file} on Node ${version} prints:\n${output}`);
        });
        await Promise.all(ran);
        const required = `for (const name of process.argv.slice(2)) if (Object.keys(require(name)).length === 0) throw new Error(name)`;
        writeFileSync(join(folder, 'required.cjs'), required);
        const clients = packages.filter(forBrowsers).map(({ manifest }) => manifest.name);
        await run(program, ['--no-warnings', 'required.cjs', ...clients]);
        return `Node ${version.slice(1)}: ${programs.length} programs of READMEs; require() of ${clients.length} packages`;
      } finally {
        own.remove();
      }
    },
  };
}

/** Compiles the programs of the READMEs to JavaScript; what they read is beside them. */
async function writePrograms(
  folder: string,
  packages: readonly string[],
  version: string,
  url: string,
): Promise<string[]> {
  const client = createSpeechClient({ baseUrl: url, apiKey: key });
  const text = 'What is said in the sample.';
  const blocks = codeBlocks(['README.md', 'packages/*/README.md', 'apps/*/README.md']).filter(
    ({ file, language, marks, code }) =>
      language === 'ts' &&
      marks.length === 0 &&
      isWhole(file) &&
      (file === 'README.md' || packages.includes(file.replace('/README.md', ''))) &&
      code.includes('import '),
  );
  const written: string[] = [];
  for (const { file, line, code } of blocks) {
    const path = `readme-${version}/${file.replaceAll(/[/.]/g, '-')}-${line}.mjs`;
    const { code: script } = transformSync(code, { loader: 'ts', target: 'es2022', format: 'esm' });
    written.push(path);
    mkdirSync(join(folder, `readme-${version}`), { recursive: true });
    writeFileSync(join(folder, path), script);
  }
  for (const [name, format] of Object.entries({ 'sample.wav': 'wav', 'interview.mp3': 'mp3' } as const)) {
    writeFileSync(join(folder, name), await (await client.speech.create({ text, format })).bytes());
  }
  return written;
}

/** Fragments and servers are completed and run by their own package, and the sandbox speaks only with its engine. */
function isWhole(file: string): boolean {
  return file !== 'apps/sandbox/README.md' && !existsSync(join(root, dirname(file), 'src/readme.test.ts'));
}

/** `speech` from its archive alone, on one version of Node. */
function command(id: string, range: string): Consumer {
  return {
    id,
    quick: true,
    async use({ packages, url }) {
      const cli = packages.filter(({ manifest }) => manifest.name === '@speech-api/cli');
      const { folder, run, write, remove } = await installProject({
        packages: cli,
        others: { [nodePackage]: range },
      });
      try {
        const installed = readdirSync(join(folder, 'node_modules')).filter((name) => /^[^.]/.test(name));
        const expected = ['@speech-api', nodePackage];
        if (installed.join() !== expected.join()) throw new Error(`npm installed ${installed.join(', ')}`);
        const program = join(folder, 'node_modules', nodePackage, 'bin/node');
        const script = 'node_modules/@speech-api/cli/dist/speech.js';
        const environment = {
          SPEECH_BASE_URL: url,
          SPEECH_API_KEY: key,
          SPEECH_CONFIG: join(folder, 'config.json'),
        };
        const shows = async (args: readonly string[], expected: RegExp): Promise<void> => {
          const output = await run(program, [script, ...args], environment);
          if (!expected.test(output)) throw new Error(`speech ${args.join(' ')} prints:\n${output}`);
        };
        const version = cli[0]?.manifest.version ?? '';
        const shim = await run('speech', ['--version'], environment);
        if (shim !== `${version}\n`) throw new Error(`the installed speech says ${shim}`);
        write('book.md', '# One\n\nThe ferry leaves at noon.\n\n# Two\n\nThe gulls leave with it.\n');
        await shows(['--version'], new RegExp(`^${version.replaceAll('.', '\\.')}\\n$`));
        await shows(['--help'], /Usage: speech[\s\S]*Examples:/);
        await shows(
          ['speak', 'The ferry leaves at noon.', '-o', 'ferry.wav'],
          /^wrote ferry\.wav, [\d.]+ kB\n$/,
        );
        await shows(
          ['speak', 'book.md', '-o', 'book.mp3', '--chapters', '--captions', 'vtt'],
          /^wrote book\.mp3, [\d.]+ kB, book\.vtt\n$/,
        );
        // Recordings are read in the worker, which is a file of its own.
        for (const recording of ['ferry.wav', 'book.mp3'])
          await shows(['transcribe', recording], /The ferry leaves at noon/);
        await shows(['voices', 'list'], /sandbox-alba/);
        await shows(['live', 'Good morning.', '-o', 'live.mp3'], /live\.mp3/);
        await shows(['wallet'], /credit/);
        await shows(
          ['doctor'],
          new RegExp(`${version.replaceAll('.', '\\.')}[\\s\\S]*service +reached and the key works`),
        );
        await shows(['complete', 'powershell'], /speech/);
        const node = (await run(program, ['--version'])).trim().slice(1);
        return `Node ${node}: speech ${version} from its archive`;
      } finally {
        remove();
      }
    },
  };
}

const typescript: Consumer = {
  id: 'typescript',
  quick: true,
  async use({ packages, shared }) {
    const { folder, run, write } = await shared();
    // A page's own entries need DOM; those for a framework need the framework, which is optional.
    const forPages = ['audio/play', 'audio/player', 'audio/player/worklet', 'sandbox/browser'];
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
    const versions: string[] = [];
    for (const compiler of ['typescript-5.7', 'typescript-5.9', 'typescript']) {
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
    }
    return `TypeScript ${versions.join(', ')}: nodenext and bundler, with DOM and with Node's types alone`;
  },
};

function bundler(id: string, bundle: (project: Project) => Promise<void>): Consumer {
  return {
    id,
    quick: true,
    async use({ url, shared }) {
      const project = await shared();
      await bundle(project);
      // Node reads it with no package beside it: the bundle is complete, and uses nothing of Node.
      const elsewhere = await installProject({ packages: [] });
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

function versionOf({ folder }: Project, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

const esbuild = bundler('esbuild', async ({ run }) => {
  const options = ['--bundle', '--format=esm', '--platform=browser', '--outfile=bundles/esbuild.mjs'];
  const output = await run('esbuild', ['smoke.mjs', '--log-level=warning', ...options]);
  if (output !== '') throw new Error(output);
});

const vite = bundler('vite', async ({ run }) => {
  await run('vite', ['build', '--config', 'vite.config.mjs', '--logLevel', 'error']);
});

const webpack = bundler('webpack', async ({ run }) => {
  await run('node', ['webpack.build.mjs']);
});

const jest: Consumer = {
  id: 'jest',
  quick: true,
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

const vitest: Consumer = {
  id: 'vitest',
  quick: true,
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

/** A program for runtimes with a command line, on packages that an installer laid out. */
function installer(id: 'pnpm' | 'bun', quick: boolean): Consumer {
  return {
    id,
    quick,
    async use({ packages, url }) {
      const project = await installProject({ packages: packages.filter(runsOnNode20), installer: id });
      try {
        const program = id === 'bun' ? programOf('bun') : 'node';
        const output = await project.run(program, ['smoke-command.mjs', url]);
        if (!output.startsWith('works: ')) throw new Error(output);
        return `${id}: installed and run`;
      } finally {
        project.remove();
      }
    },
  };
}

const deno: Consumer = {
  id: 'deno',
  quick: false,
  async use({ url, shared }) {
    const { run } = await shared();
    const permissions = ['--no-remote', '--node-modules-dir=manual', '--allow-net=127.0.0.1', '--allow-env'];
    const output = await run(programOf('deno'), ['run', ...permissions, 'smoke-command.mjs', url], {
      DENO_NO_UPDATE_CHECK: '1',
    });
    if (!output.startsWith('works: ')) throw new Error(output);
    const version = await run(programOf('deno'), ['--version']);
    return `${version.split('\n')[0]}: run on what npm installed`;
  },
};

/** Where a worker has its own `Request` and `ReadableStream`, and neither DOM nor Node. */
const workers: Consumer = {
  id: 'workers',
  quick: false,
  async use({ packages }) {
    const own = packages.filter(forBrowsers);
    const project = await installProject({
      packages: own,
      others: { '@cloudflare/workers-types': '^5.0.0', typescript: '^7.0.0' },
    });
    try {
      project.write(
        'types/all.ts',
        everyEntry(own, 'client/node', 'audio/play', 'audio/player', 'audio/player/worklet'),
      );
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
const next: Consumer = {
  id: 'next',
  quick: false,
  async use({ packages, url }) {
    const project = await installProject({
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
      const server = spawn(
        process.execPath,
        ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', '0'],
        {
          cwd: project.folder,
          env: { ...process.env, ...environment },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      try {
        const address = await new Promise<string>((resolve, reject) => {
          server.once('exit', (code) => reject(new Error(`next start ended with ${code}`)));
          server.stdout.on('data', (line: Buffer) => {
            const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(String(line))?.[0];
            if (found) resolve(found);
          });
        });
        const response = await fetch(`${address}/api/speech`, {
          method: 'POST',
          body: 'Good morning.',
        });
        const size = (await response.arrayBuffer()).byteLength;
        if (response.status !== 200 || size < 1000)
          throw new Error(`the route answers ${response.status}, ${size} bytes`);
      } finally {
        server.kill();
      }
      return `next ${versionOf(project, 'next')}: next build, and its route answers`;
    } finally {
      project.remove();
    }
  },
};

/** All of them, in the order in which they run. */
export const consumers: readonly Consumer[] = [
  node('node20', '~20.19.0', true),
  node('node24', '^24.0.0', true),
  command('speech-node20', '~20.19.0'),
  command('speech-node24', '^24.0.0'),
  typescript,
  vite,
  esbuild,
  webpack,
  jest,
  vitest,
  installer('pnpm', false),
  node('node22', '~22.12.0', false),
  node('node26', '^26.0.0', false),
  installer('bun', false),
  deno,
  workers,
  next,
];
