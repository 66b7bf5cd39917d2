import type { Row } from '../measure.ts';
import { bundled, bundleSize, installedFiles, isOurs, sumOf } from '../sizes.ts';

const bundle: Row = {
  id: 'bundle',
  what: 'client bundle for browsers, minified + gzip',
  target: 'core + speech in JSON <= 14.5 KB, everything <= 28 KB',
  async measure() {
    const ours = await bundleSize(bundled.client);
    const references = {
      'openapi-fetch + eventsource-parser':
        (await bundleSize(bundled.openapiFetchAndParser)).everything / 1000,
      'openapi-fetch': (await bundleSize(bundled.openapiFetch)).first / 1000,
      'raw fetch': (await bundleSize(bundled.fetch)).first / 1000,
    };
    const row = (variant: string, bytes: number, limit: number) =>
      ({ variant, ours: bytes / 1000, unit: 'KB', references, met: bytes / 1000 <= limit }) as const;
    return [row('core + speech in JSON', ours.first, 14.5), row('everything', ours.everything, 28)];
  },
};

const installed: Row = {
  id: 'installed',
  what: 'installed size',
  target: 'ours <= 0.5 MB and 80 files; with dependencies <= 0.8 MB and 110 files',
  async measure() {
    const all = [...(await installedFiles('@speech-api/client'))];
    const peer = await installedFiles('openapi-fetch');
    const rows = (variant: string, files: typeof all, megabytes: number, count: number) => {
      const size = { variant, ours: sumOf(files) / 1e6, references: { 'openapi-fetch': sumOf(peer) / 1e6 } };
      const number = { variant, ours: files.length, references: { 'openapi-fetch': peer.size } };
      return [
        { ...size, unit: 'MB', met: size.ours <= megabytes },
        { ...number, unit: 'files', met: number.ours <= count },
      ] as const;
    };
    return [...rows('ours', all.filter(isOurs), 0.5, 80), ...rows('with dependencies', all, 0.8, 110)];
  },
};

export const sizes: readonly Row[] = [bundle, installed];
