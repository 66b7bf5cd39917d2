import { isLoopback } from '../connection/sandbox-address.ts';
import type { Explanation, Situation } from './explanation.ts';

/**
 * What can be meant by a call that got no answer. A browser tells a page nothing about the reason, so the page goes
 * by the two addresses: where it comes from, and where it called.
 */
export function explainSilence({ baseUrl, pageUrl, action }: Situation, detail: string): Explanation {
  const page = new URL(pageUrl);
  if (!isCallable(baseUrl)) {
    return {
      title: 'This page calls https and this machine alone',
      advice: `The call to ${baseUrl} was not sent: the policy of this site allows https addresses, http://127.0.0.1 and http://localhost.`,
      detail,
      field: 'baseUrl',
    };
  }
  if (isLoopback(baseUrl)) return isLoopback(page.origin) ? sandboxMissing() : sandboxHeldBack();
  return {
    title: `No answer from ${baseUrl}`,
    advice:
      'Is the address right? A service that does not allow this page’s origin looks the same to a browser.',
    detail,
  };

  function sandboxMissing(): Explanation {
    return {
      title: `No sandbox answers at ${baseUrl}`,
      advice: `Start it from a clone of the repository, then press ${action} again:`,
      command: `npm run sandbox -- --port ${portOf(baseUrl)}`,
      detail,
    };
  }

  function sandboxHeldBack(): Explanation {
    return {
      title: `No sandbox answers at ${baseUrl}, or the browser holds the call back`,
      advice: `This page comes from ${page.host}; the sandbox is on your machine. Three things are needed:`,
      steps: [
        'A sandbox that allows this page, started from a clone of the repository with the command below.',
        'Leave to call your own network: Chrome and Edge ask for it once; it can be given later in the settings of this site, at the left of the address.',
        'A browser that lets an https page call 127.0.0.1: Chrome, Edge and Firefox do, Safari does not.',
      ],
      command: `npm run sandbox -- --port ${portOf(baseUrl)} --allow-origin ${page.origin}`,
      afterwards: 'Or leave all that out: “npm start” in the clone serves this very site beside its sandbox.',
      detail,
    };
  }
}

/** Whether the content security policy of the site lets a page call an address. */
function isCallable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
}

function portOf(address: string): string {
  return new URL(address).port || '80';
}
