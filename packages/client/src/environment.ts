interface NodeProcess {
  readonly versions?: { readonly node?: string };
  readonly env?: Record<string, string | undefined>;
}

/** A variable of the environment in Node and what behaves like it; undefined elsewhere and when empty. */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  return process?.versions?.node === undefined ? undefined : process.env?.[name] || undefined;
}

/** Whether this is a page or a worker of a browser, where everybody can read what the script knows. */
export function isBrowser(): boolean {
  const scope = globalThis as { document?: unknown; importScripts?: unknown };
  return typeof scope.document === 'object' || typeof scope.importScripts === 'function';
}
