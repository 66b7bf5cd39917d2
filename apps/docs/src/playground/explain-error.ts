import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditError,
  RequestError,
  TimeoutError,
  TooManyRequestsError,
} from '@speech-api/client';
import { limits } from '@speech-api/types';
import { AddressError, isLoopback } from './connection/address.ts';

/** What went wrong and what the reader can do about it. */
export interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** What to do, in order. */
  readonly steps?: readonly string[];
  /** A command to type, where one helps. */
  readonly command?: string;
  /** Shown below the command. */
  readonly afterwards?: string;
  /** Technical details. */
  readonly detail?: string;
  /** The field under Connection to change. */
  readonly field?: 'baseUrl' | 'apiKey' | 'path';
}

/** What was going on when the error came. */
export interface Situation {
  readonly baseUrl: string;
  /** Address of the page that called. */
  readonly pageUrl: string;
  /** What the button says that begins again. */
  readonly action: string;
  /** The answer had begun. */
  readonly answered: boolean;
  /** Seconds of audio that had arrived. */
  readonly receivedSeconds: number;
  /** Something answers at the base URL, only not to this page. */
  readonly isThere?: boolean;
}

/** What is said of a text that is longer than servers of this project take; undefined for any other. */
export function explainLength(text: string): Explanation | undefined {
  const { textCodePoints: limit } = limits;
  if (text.length <= limit) return undefined;
  const characters = [...text].length;
  if (characters <= limit) return undefined;
  const count = (value: number) => value.toLocaleString('en');
  return {
    title: 'This text is too long for one call',
    advice: `It has ${count(characters)} characters, ${count(characters - limit)} more than the ${count(limit)} that the sandbox takes. Speak it in parts: speakLong of @speech-api/recordings does that.`,
  };
}

/** What an address that cannot be called means: nothing was sent. */
export function explainAddress({ message, field }: AddressError): Explanation {
  return {
    title: field === 'path' ? 'This path cannot be called' : 'This address cannot be called',
    advice: `${message} Nothing was sent.`,
    field,
  };
}

/** Turns an error of the client, the stream or the player into words for the reader. */
export function explainError(error: unknown, situation: Situation): Explanation {
  const again = `Press ${situation.action}`;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof AddressError) return explainAddress(error);
  if (situation.receivedSeconds > 0 && !ApiError.isInstance(error)) {
    return {
      title: `The stream broke off after ${situation.receivedSeconds.toFixed(1)} s`,
      advice: `What had arrived plays to its end and can be saved. ${again} to ask for the whole again.`,
      detail,
    };
  }
  if (ConnectionError.isInstance(error) && situation.answered) {
    return {
      title: 'The connection broke before the answer was complete',
      advice: `Nothing of it can be used. ${again} to ask again.`,
      detail,
    };
  }
  if (ConnectionError.isInstance(error)) return explainSilence(situation, detail);
  if (AuthenticationError.isInstance(error)) {
    return {
      title: 'The key was refused',
      advice: isLoopback(situation.baseUrl)
        ? 'The sandbox takes the key “sandbox-key”. Put it into API key, under Connection.'
        : 'Look at API key, under Connection: is it whole, and is it a key of this service?',
      detail,
      field: 'apiKey',
    };
  }
  if (InsufficientCreditError.isInstance(error)) {
    return {
      title: 'The credit is used up',
      advice: 'The key is right, but its account has no credit left.',
      detail,
    };
  }
  if (TooManyRequestsError.isInstance(error)) {
    const wait = error.retryAfterSeconds === undefined ? 'a moment' : `${error.retryAfterSeconds} s`;
    return { title: 'Too many requests at once', advice: `Wait ${wait}. ${again} to try again.`, detail };
  }
  if (TimeoutError.isInstance(error)) {
    return {
      title: 'No answer in time',
      advice: `The service is slow or stuck. ${again} to try again.`,
      detail,
    };
  }
  if (RequestError.isInstance(error)) {
    return {
      title: `This cannot work: ${error.field}`,
      advice: 'Nothing was sent. Change it and try again.',
      detail,
    };
  }
  if (ConfigurationError.isInstance(error)) {
    return {
      title: 'The connection settings cannot work',
      advice: 'Look at the fields under Connection.',
      detail,
      field: 'baseUrl',
    };
  }
  if (ApiError.isInstance(error)) {
    const issues = error.issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`);
    return {
      title: `The service refused with ${error.status}`,
      advice: issues.length > 0 ? issues.join('\n') : detail,
      ...(error.traceId === undefined ? {} : { detail: `trace ${error.traceId}` }),
    };
  }
  if (isOffline()) {
    return {
      title: 'This machine is offline',
      advice: `What this page needs to speak by itself is loaded when it is first used. Connect, then press ${situation.action} again.`,
      detail,
    };
  }
  return { title: 'It did not work', advice: `${again} to try again.`, detail };
}

/**
 * What can be meant by a call that got no answer. A browser tells a page nothing about the reason, so the page goes
 * by the two addresses: where it comes from, and where it called.
 */
export function explainSilence(
  { baseUrl, pageUrl, action, isThere }: Situation,
  detail: string,
): Explanation {
  const page = new URL(pageUrl);
  if (isThere) {
    return {
      title: `${new URL(baseUrl).origin} is there, but this page gets no answer from it`,
      advice: `Most likely it does not allow the origin of this page, ${page.origin}; or it broke the connection. A sandbox allows it with --allow-origin ${page.origin}.`,
      detail,
    };
  }
  if (isOffline() && !isLoopback(baseUrl)) {
    return {
      title: 'This machine is offline',
      advice: `The browser has no network, so ${new URL(baseUrl).host} cannot be reached. A sandbox on this machine can: put its address under Connection.`,
      detail,
    };
  }
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
    advice: 'Nothing answers there. Is the address right?',
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

function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

function portOf(address: string): string {
  return new URL(address).port || '80';
}

/**
 * Shows what went wrong, or nothing. The element is an alert: what is put into it is read out.
 *
 * @param show opens the field that is to be changed
 */
export function showProblem(
  root: HTMLElement,
  explanation: Explanation | undefined,
  show?: (field: 'baseUrl' | 'apiKey' | 'path') => void,
): void {
  root.hidden = explanation === undefined;
  root.replaceChildren();
  if (!explanation) return;
  const { title, advice, steps, command, afterwards, detail, field } = explanation;
  root.append(element('strong', title), element('p', advice));
  if (steps !== undefined) {
    const list = document.createElement('ol');
    list.append(...steps.map((step) => element('li', step)));
    root.append(list);
  }
  if (command !== undefined) root.append(element('code', command));
  if (afterwards !== undefined) root.append(element('p', afterwards));
  if (detail !== undefined && detail !== advice) root.append(element('small', detail));
  if (field !== undefined && show !== undefined) {
    const button = element(
      'button',
      `Change the ${field === 'apiKey' ? 'key' : field === 'path' ? 'path' : 'address'}`,
    );
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => show(field));
    root.append(button);
  }
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
