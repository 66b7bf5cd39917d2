import { UsageError } from '../errors.ts';

type Failure = Error & { readonly code?: string };

/** The system's codes for a missing answer: the reason, and what may help. `--target` stands for the option. */
const failures: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  ECONNREFUSED: ['the connection was refused', 'Start the server, or check host and port'],
  ECONNRESET: ['the connection was closed without an answer'],
  EPIPE: ['the connection was closed without an answer'],
  ENOTFOUND: ['there is no such host', 'Check the address'],
  EAI_AGAIN: ['the name cannot be looked up', 'Check the network and the address'],
  ETIMEDOUT: ['the connection timed out', 'Check the network and the address'],
  CERT_HAS_EXPIRED: ['the certificate has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'the certificate is self-signed',
    'Set NODE_EXTRA_CA_CERTS to a file with the certificate',
  ],
  EPROTO: ['the server does not speak TLS there', 'Use http:// in --target'],
  HPE_INVALID_CONSTANT: ['the answer is not HTTP/1.1', 'Check the port, or use https:// in --target'],
};

/** Explains in words why no answer came. */
export function describeFailure({ code = '', message }: Failure): string {
  return failures[code]?.[0] ?? (message || code || 'the reason is unknown');
}

/** The same for an address that a person gave with an option, with what may help. */
export function whyUnreachable(failure: Failure, base: string, option = '--target'): string {
  const advice = failures[failure.code ?? '']?.[1]?.replace('--target', option);
  return `${base} cannot be reached: ${describeFailure(failure)}.${advice === undefined ? '' : ` ${advice}.`}`;
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
