/** Where the sandbox listens unless somebody says otherwise. */
export const defaultSandboxUrl = 'http://127.0.0.1:4010';

/**
 * Asks the server of this page where its sandbox is. `npm start` answers, because ports move up when they are taken;
 * a plain file host has no such file, and then it is the default.
 */
export async function findSandbox(base: string): Promise<string> {
  try {
    const response = await fetch(`${base}sandbox.json`, { cache: 'no-store' });
    if (!response.ok) return defaultSandboxUrl;
    const answer: unknown = await response.json();
    const baseUrl = (answer as { baseUrl?: unknown } | null)?.baseUrl;
    return typeof baseUrl === 'string' && URL.canParse(baseUrl) ? baseUrl : defaultSandboxUrl;
  } catch {
    return defaultSandboxUrl;
  }
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
