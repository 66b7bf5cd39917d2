// What the runtime is: a page, Node or another one. Nothing here is looked at before a client is made.

interface NodeProcess {
  readonly versions?: { readonly node?: string };
  readonly env?: Record<string, string | undefined>;
}

/** A variable of the environment; undefined where there is none, where it is empty, and where Deno does not let it be read. */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/**
 * True in a page or a worker of a browser, where everybody can read what the script knows. False in a test
 * with jsdom and in edge runtimes, whatever globals they have.
 */
export function isBrowser(): boolean {
  const scope = globalThis as {
    document?: unknown;
    importScripts?: unknown;
    navigator?: { userAgent?: string };
  };
  if (/jsdom|happydom|cloudflare-workers|deno|bun/i.test(scope.navigator?.userAgent ?? '')) return false;
  return typeof scope.document === 'object' || typeof scope.importScripts === 'function';
}

/**
 * True if `fetch` sends a stream with the length that the header `content-length` names, as Node does. Others
 * that look like Node either hold a stream back or send it without a length.
 */
export function streamsUploads(): boolean {
  const { process, navigator } = globalThis as { process?: NodeProcess; navigator?: { userAgent?: string } };
  const agent = navigator?.userAgent ?? 'Node.js';
  return process?.versions?.node !== undefined && agent.startsWith('Node.js');
}
