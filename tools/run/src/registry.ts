import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ports } from '../help.mjs';
import { type Manifest, type Packed, packAll } from './packed.ts';
import { buildEmptied, portOf, publishedWorkspaces, readOptions, untilInterrupted } from './processes.ts';
import { closeServer, isPortTaken, listenOnLoopback } from './servers.ts';

/** A registry on this machine that has the packed packages, what is published to it, and nothing else. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** One version of a package as a registry has it. */
interface Version {
  readonly manifest: Manifest;
  readonly tag: string;
  readonly bytes: Buffer;
}

/**
 * Serves the archives of packages as a registry does, so that a package manager resolves their ranges, checks their
 * integrity and reads their manifests as it will after a release, and accepts what `npm publish` sends. It asks nobody for
 * a package that it does not have. Packages that are added to the list later are served as well.
 */
export async function serveArchives(packages: readonly Packed[], port = 0): Promise<Registry> {
  const uploaded: Version[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/%2f/i, '/');
    // The packed version stays the same while the packages change, so nobody may cache an answer.
    response.setHeader('cache-control', 'no-store');
    if (request.method === 'PUT') {
      const upload = await json(request)
        .then(readUpload)
        .catch(() => undefined);
      if (upload !== undefined) uploaded.push(upload);
      const error = `PUT ${path} is not what npm publish sends; this registry accepts nothing else.`;
      response.writeHead(upload === undefined ? 400 : 201, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(upload === undefined ? { error } : {}));
    }
    const packed = packages.map(({ manifest, archive }) => ({
      manifest,
      tag: 'latest',
      bytes: readFileSync(archive),
    }));
    const versions = [...packed, ...uploaded];
    const archive = versions.find(({ manifest }) => path === archivePath(manifest));
    if (archive) return response.end(archive.bytes);
    const named = versions.filter(({ manifest }) => path === `/${manifest.name}`);
    if (named.length > 0) return response.end(JSON.stringify(describe(named, url)));
    return response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server, port)}`;
  return { url, close: () => closeServer(server) };
}

const archivePath = ({ name, version }: Manifest): string =>
  `/${name}/-/${name.split('/')[1]}-${version}.tgz`;

/** The body of `npm publish`: one version, its tag and its archive in base64. */
function readUpload(body: unknown): Version {
  const { versions, _attachments, ...document } = body as {
    readonly versions: Readonly<Record<string, Manifest>>;
    readonly 'dist-tags': Readonly<Record<string, string>>;
    readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
  };
  const [manifest] = Object.values(versions);
  const [archive] = Object.values(_attachments);
  const [tag] = Object.keys(document['dist-tags']);
  if (!manifest || !archive || !tag) throw new Error('The upload has no version, archive or tag.');
  return { manifest, tag, bytes: Buffer.from(archive.data, 'base64') };
}

/** The document that a registry has of a package. */
function describe(versions: readonly Version[], registry: string): object {
  const described = versions.map(({ manifest, bytes }) => {
    const dist = {
      tarball: registry + archivePath(manifest),
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
    };
    return [manifest.version, { ...manifest, dist }] as const;
  });
  return {
    name: versions[0]?.manifest.name,
    'dist-tags': Object.fromEntries(versions.map(({ tag, manifest }) => [tag, manifest.version])),
    versions: Object.fromEntries(described),
    // A date so long ago that package managers with a waiting period accept the release.
    time: Object.fromEntries(described.map(([version]) => [version, '2026-01-01T00:00:00.000Z'])),
  };
}

/** `npm run registry`: the published packages, built, packed and served until Ctrl-C. */
export async function registry(args: readonly string[]): Promise<number> {
  const options = { port: { type: 'string', default: String(ports.registry) } } as const;
  const port = readOptions('registry', () =>
    portOf('port', parseArgs({ args: [...args], options }).values.port),
  );
  if (port === undefined) return 2;
  const signal = untilInterrupted();
  const stopped = once(signal, 'abort');
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
    if (!(await buildEmptied(publishedWorkspaces))) return 1;
    const packed = await packAll({ isLoud: true });
    remove = packed.remove;
    packages.push(...packed.packages);
    process.stdout.write(`Registry       ${served.url}   (${packages.length} packages)

Put this line into the .npmrc of a project to install them there:
${packages[0]?.manifest.name.split('/')[0]}:registry=${served.url}

Ctrl-C stops it.
`);
    await stopped;
    return 0;
  } catch (error) {
    // Ctrl-C also reached the program that was packing.
    if (signal.aborted) return 130;
    throw error;
  } finally {
    await served.close();
    remove();
  }
}
