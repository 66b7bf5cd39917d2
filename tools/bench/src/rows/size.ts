import { bundled, bundleSize } from '../measure/bundle.ts';
import { installedSize } from '../measure/packed.ts';
import type { Row } from '../row.ts';

const kilo = (bytes: number) => bytes / 1000;

export const bundle: Row = {
  id: 'bundle',
  what: 'client bundle for browsers, minified + gzip',
  target: 'core + speech in JSON <= 14.5 KB, everything <= 28 KB',
  async measure() {
    const [ours, raw, openapiFetch, libraries] = await Promise.all([
      bundleSize(bundled.client),
      bundleSize(bundled.fetch),
      bundleSize(bundled.openapiFetch),
      bundleSize(bundled.openapiFetchAndParser),
    ]);
    const reference = { name: 'openapi-fetch + eventsource-parser', value: kilo(libraries.everything) };
    const peers = [
      { name: 'openapi-fetch', value: kilo(openapiFetch.first) },
      { name: 'raw fetch', value: kilo(raw.first) },
    ];
    const first = kilo(ours.first);
    const everything = kilo(ours.everything);
    return [
      { variant: 'core + speech in JSON', ours: first, unit: 'KB', reference, peers, met: first <= 14.5 },
      { variant: 'everything', ours: everything, unit: 'KB', reference, peers, met: everything <= 28 },
    ];
  },
};

export const installed: Row = {
  id: 'installed',
  what: 'installed size',
  target: 'ours <= 0.5 MB and 80 files; with dependencies <= 0.8 MB and 110 files',
  async measure() {
    const own = await installedSize('@speech-api/client', (name) => name.startsWith('@speech-api/'));
    const all = await installedSize('@speech-api/client');
    const peer = await installedSize('openapi-fetch');
    const size = { name: 'openapi-fetch', value: peer.bytes / 1e6 };
    const files = { name: 'openapi-fetch', value: peer.files };
    return [
      { variant: 'ours', ours: own.bytes / 1e6, unit: 'MB', reference: size, met: own.bytes <= 0.5e6 },
      { variant: 'ours', ours: own.files, unit: 'files', reference: files, met: own.files <= 80 },
      {
        variant: 'with dependencies',
        ours: all.bytes / 1e6,
        unit: 'MB',
        reference: size,
        met: all.bytes <= 0.8e6,
      },
      {
        variant: 'with dependencies',
        ours: all.files,
        unit: 'files',
        reference: files,
        met: all.files <= 110,
      },
    ];
  },
};
