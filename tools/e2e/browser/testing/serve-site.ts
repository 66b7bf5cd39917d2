import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveDocs } from '@speech-api/run/servers';

const directory = fileURLToPath(new URL('../../../../apps/docs/dist/', import.meta.url));

export interface ServedSite {
  readonly url: string;
  /** Address in `/sandbox.json`; a test may change it before it opens a page. */
  sandboxUrl: string;
  /** The same of the relay; most tests have none. */
  relayUrl: string | undefined;
  close(): Promise<void>;
}

/** Serves the built site as `npm start` does, by the same code. */
export async function serveSite(sandboxUrl: string): Promise<ServedSite> {
  if (!existsSync(`${directory}index.html`)) {
    throw new Error('the site is not built; run `npx turbo run build --filter=@speech-api/docs`');
  }
  const docs = await serveDocs({
    directory,
    port: 0,
    sandboxUrl: () => site.sandboxUrl,
    relayUrl: () => site.relayUrl,
  });
  const site: ServedSite = { ...docs, sandboxUrl, relayUrl: undefined };
  return site;
}
