import { UsageError } from '../errors.ts';

/** Explains in words why there is no answer; `option` is the option that holds the address. */
export function whyUnreachable(
  failure: Error & { readonly code?: string },
  { base }: { readonly base: string },
  option = '--target',
): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there. Start the server, or check host and port',
    ENOTFOUND: 'there is no such host. Check the address',
    EAI_AGAIN: 'the name cannot be looked up. Check the network and the address',
    ETIMEDOUT: 'it did not answer in time. Check the network and the address',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is its own. Set NODE_EXTRA_CA_CERTS to a file with it',
    EPROTO: `it does not speak TLS there. Use http:// in ${option}`,
    HPE_INVALID_CONSTANT: `what answers there does not speak HTTP/1.1. Check the port, or use https:// in ${option}`,
  };
  const reason = known[failure.code ?? ''] ?? `${failure.message || failure.code || 'no answer came'}`;
  return `${base} cannot be reached: ${reason}.`;
}

/** @throws UsageError when an address is invalid */
export function readAddress(option: string, value: string, protocols: readonly string[]): string {
  const url = URL.parse(value);
  const fitting = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (url === null || !protocols.includes(url.protocol)) {
    throw new UsageError(
      `${option} must be an address that begins with ${fitting}, not "${withoutSecrets(value)}".`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${option} must hold no name or password; the key comes from SPEECH_API_KEY.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${option} is a base address: leave out everything from "?" or "#" on.`);
  }
  return `${url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin}${url.pathname}`.replace(
    /\/+$/,
    '',
  );
}

/** An address as it can be shown: what comes before "@" or after "?" may be a password or a key. */
function withoutSecrets(value: string): string {
  return value.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1').replace(/[?#].*$/s, '');
}
