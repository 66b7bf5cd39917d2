import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { helpOf, ports } from '../help.mjs';
import { type Manifest, type Packed, packAll } from './packed.ts';
import { build, publishedWorkspaces } from './processes.ts';
import { closeServer, isPortTaken, listenOnLoopback } from './servers.ts';

/** A registry on this machine that has the packed packages and nothing else. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the archives of packages as a registry does, so that a package manager resolves their ranges, checks their
 * integrity and reads their manifests as it will after a release. It knows no other package and asks nobody for one.
 * Packages that are added to the list later are served as well.
 */
export async function serveArchives(packages: readonly Packed[], port = 0): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/%2f/i, '/');
    // The version stays the same while the packages change, so nobody may keep what it was told before.
    response.setHeader('cache-control', 'no-store');
    for (const packed of packages) {
      if (path === `/${packed.manifest.name}`) return response.end(JSON.stringify(describe(packed, url)));
      if (path === archivePath(packed.manifest)) return response.end(readFileSync(packed.archive));
    }
    return response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server, port)}`;
  return { url, close: () => closeServer(server) };
}

const archivePath = ({ name, version }: Manifest): string =>
  `/${name}/-/${name.split('/')[1]}-${version}.tgz`;

/** The document that a registry has of a package. */
function describe({ manifest, archive }: Packed, registry: string): object {
  const { name, version } = manifest;
  const bytes = readFileSync(archive);
  const dist = {
    tarball: registry + archivePath(manifest),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    // Long enough ago for package managers that wait some days before they take a release.
    time: { [version]: '2026-01-01T00:00:00.000Z' },
  };
}

/** `npm run registry`: the published packages, built, packed and served until Ctrl-C. */
export async function registry(args: readonly string[]): Promise<number> {
  const port = readPort(args);
  if (port === undefined) return 2;
  let isInterrupted = false;
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
    isInterrupted = true;
  });
  const packages: Packed[] = [];
  const served = await serveArchives(packages, port).catch((error) => {
    if (!isPortTaken(error)) throw error;
  });
  if (served === undefined) {
    process.stderr.write(
      `Port ${port} is in use. Choose another one with --port, such as --port ${port + 1}.\n`,
    );
    return 1;
  }
  let remove = () => {};
  try {
    if (!(await build(publishedWorkspaces))) return 1;
    const tell = (name: string, count: number, total: number) =>
      process.stderr.write(`Packing ${count} of ${total}: ${name}\n`);
    const packed = await packAll({ tell });
    remove = packed.remove;
    packages.push(...packed.packages);
    process.stdout.write(`Registry       ${served.url}   (${packages.length} packages)

Put this line into the .npmrc of a project to install them there:
@speech-api:registry=${served.url}

Ctrl-C stops it.
`);
    await interrupted;
    return 0;
  } catch (error) {
    // Ctrl-C also reached the program that was packing.
    if (isInterrupted) return 130;
    throw error;
  } finally {
    await served.close();
    remove();
  }
}

function readPort(args: readonly string[]): number | undefined {
  try {
    const options = { port: { type: 'string', default: String(ports.registry) } } as const;
    const { port } = parseArgs({ args: [...args], options }).values;
    if (/^\d+$/.test(port) && Number(port) <= 65535) return Number(port);
    throw new Error(`--port is "${port}"; use a port from 0 to 65535.`);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\n\n${helpOf('registry')}`,
    );
    return undefined;
  }
}
