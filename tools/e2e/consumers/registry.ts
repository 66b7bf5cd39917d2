import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Packed } from './project.ts';

/** A registry on this machine that has the packed packages and nothing else. */
export interface Registry {
  /** Its address, with a slash at the end. */
  readonly url: string;
  close(): void;
}

/**
 * Serves the archives of packages as a registry does, so that a package manager resolves their ranges, checks their
 * integrity and reads their manifests as it will after a release.
 */
export async function serveArchives(packages: readonly Packed[]): Promise<Registry> {
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const packed = packages.find(({ manifest, archive }) =>
      [manifest.name, basename(archive)].some((name) => path === name),
    );
    if (packed === undefined) response.writeHead(404).end('{}');
    else if (path === packed.manifest.name) response.end(JSON.stringify(describe(packed, address(server))));
    else response.end(readFileSync(packed.archive));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: address(server),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const address = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** The document that a registry has of a package. */
function describe({ manifest, archive }: Packed, registry: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  const dist = { tarball: registry + basename(archive), integrity };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    // Long enough ago for package managers that wait some days before they take a release.
    time: { [version]: '2026-01-01T00:00:00.000Z' },
  };
}
