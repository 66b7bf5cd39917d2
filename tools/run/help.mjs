// Plain JavaScript, because help needs no install and therefore runs on the caller's Node.

export const ports = { docs: 4000, sandbox: 4010, relay: 4030, registry: 4873 };

const help = {
  start: `npm start [-- options]

Starts the sandbox, the documentation and a relay for live sessions from browsers, and prints the address of a page
where you type and hear speech.

  --docs-port N     first port to try for the documentation (default ${ports.docs}; the next free port if it is in use)
  --sandbox-port N  first port to try for the sandbox (default ${ports.sandbox}; the next free port if it is in use)
  --relay-port N    first port to try for the relay (default ${ports.relay}; the next free port if it is in use)
  --no-open         do not open the page, only print its address
  --help            show this

Ctrl-C stops everything.
`,
  demo: `npm run demo [-- "any text"]

Speaks a text through the client against a sandbox of its own, prints a table of words and times, and writes
out/demo.opus, out/demo.wav and out/demo.vtt.
`,
  try: `npm run try FILE [-- ARGUMENTS]

Runs your program against a sandbox that lives as long as the program does. What the sandbox has said and stored is kept
in out/try for the next program. If SPEECH_BASE_URL is set, the program calls that address instead.
In the program, \`import ... from '@speech-api/client'\` means the packages of this clone, wherever the file is.
`,
  registry: `npm run registry [-- --port N]

Builds and packs the published packages and serves them as a package registry, so that any project on this machine can
install them before there is a release. Prints its address and the line for the project's .npmrc, which sends npm, pnpm
and bun there for @speech-api and for nothing else. It answers 404 for any other package.

  --port N  where to listen on 127.0.0.1 (default ${ports.registry}; 0 takes any free port)
  --help    show this

After a change, start it again and install again. Bun and Yarn keep packages by their version; empty their caches first:
bun pm cache rm, yarn cache clean. Ctrl-C stops the registry.
`,
  release: `npm run release [-- --dry-run] [-- --to URL] [-- --json]

Builds, packs and checks every published package, and writes the archives and their bills of materials to out/release.
The release workflow publishes what is there. The checks: each archive is complete and installable, its licences allow
it, and API reports and versions are right.

  --dry-run  name what prevents a public release, such as waiting change files, without failing for it
  --to URL   publish to the registry of your company, as latest and with a version that rises with each commit, such as
             0.1.0-next.20261127104500.g1f567b8. The files have to be committed. Your .npmrc holds the token for it.
  --json     print the result as JSON
  --help     show this
`,
  test: `npm test [-- turbo options]

Runs every check that Node alone can run. What did not change comes from the cache.
\`npm test -- --filter=@speech-api/client\` runs the checks of one package.
`,
  'test:full': `npm run test:full [-- SUITE ...] [-- --complete]

Runs the suites that need more than Node: browser, audio, samples, runtimes, faults and fresh, with one case for each
promise. --complete runs every case, and consumers and livekit too. Each of them can also be named.
In a terminal a missing tool is a skip that is named; with CI set it is a failure.
`,
};

/** The help of a command, if it was requested. */
export function helpFor(command, args) {
  // Arguments after the file of `try` belong to that program.
  const ownArgs = command === 'try' ? args.slice(0, 1) : args;
  const asksForHelp = ownArgs.includes('--help') || ownArgs.includes('-h');
  return asksForHelp && Object.hasOwn(help, command) ? help[command] : undefined;
}

export const helpOf = (command) => help[command];
