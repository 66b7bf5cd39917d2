import { readFile } from 'node:fs/promises';
import * as client from '@speech-api/client';
import { createSpeechClient, SpeechError } from '@speech-api/client';

/** Advice on each error of the client, in Markdown. A class without advice fails the build. */
const errorAdvice: Readonly<Record<string, string>> = {
  ConfigurationError:
    'Pass the option that the message names, or set the environment variable that it names. In a browser, keep the key on your own server.',
  RequestError:
    'Change the field in `field`. Nothing was sent and nothing is billed, so the corrected call is the first one.',
  ConnectionError:
    'Check the base URL, the network and, on your own machine, that the sandbox runs. A GET is retried automatically. Before you repeat a POST think of the bill, because the first one may have been done.',
  TimeoutError:
    'See which `phase` took too long, and raise that deadline alone. Long texts need a long `total`; a slow first byte is helped by `latency: "low"`.',
  TrainingError:
    'Check the recordings: they must be clean speech of one voice. Then create the voice model again.',
  AbortError:
    'Nothing, if your code aborted on purpose. Otherwise look at `cause`: the signal that your code passed may have a time limit.',
  ProtocolError:
    'Check the base URL first: it often leads to a proxy or a login page. If the audio was cut, call again; the part that arrived is not a success.',
  ApiError:
    'A status without a class of its own, such as 405. `body` has what the service said, `traceId` is what its support asks for.',
  BadRequestError:
    'Read the message: it names the voice, the rate or the length. Voices are listed by `client.models.list()`; the rules between fields are in the reference.',
  AuthenticationError:
    'Check `SPEECH_API_KEY`. The key of the sandbox is `sandbox-key`. A key of one service does not work with another.',
  InsufficientCreditError:
    'Read the credit with `client.wallet.getApiCredit()`, and add to it. Repeating the call changes nothing.',
  PermissionDeniedError:
    'Use a key of the owner. On your own machine, 403 also comes for a page of another origin: start the server with `--allow-origin`.',
  NotFoundError: 'Check the id. A voice model that was deleted is gone for good.',
  PayloadTooLargeError:
    'Send less: fewer or shorter samples of a voice, a recording cut into parts. MessagePack is a third smaller than base64.',
  UnsupportedMediaTypeError:
    'Send one of the media types that the operation lists. Our client chooses it automatically.',
  InvalidRequestError: 'Each of `issues` names a field in `loc` and what is wrong with it in `msg`.',
  TooManyRequestsError:
    'Wait for a call to end: the limit counts calls under way. `concurrency` of the client keeps below it automatically; `retryAfterSeconds` says how long to wait if the service says so.',
  ServerError: 'Wait and call again, with a growing pause. If it continues, send the `traceId` to support.',
};

/**
 * The error classes of the client in the order of its README, each with what it means and what to do in Markdown, and with
 * the statuses that give it: none where no answer came.
 */
export async function readErrorCatalogue(statuses: readonly number[]) {
  const readme = await readFile(
    new URL('README.md', import.meta.resolve('@speech-api/client/package.json')),
    'utf8',
  );
  const classes = await errorClasses(statuses);
  const sections = [...readme.matchAll(/^#{3,4} (\w+Error)\n+([\s\S]*?)(?=^#{1,4} )/gm)];
  const written = sections.map(([, name = '', meaning = '']) => ({ name, meaning: meaning.trim() }));
  const exported = Object.keys(client).filter((name) => name.endsWith('Error') && name !== 'SpeechError');
  const missing = exported.filter((name) => !written.some((entry) => entry.name === name));
  if (missing.length > 0) throw new Error(`packages/client/README.md does not explain ${missing.join(', ')}`);
  return written.map(({ name, meaning }) => {
    const advice = errorAdvice[name];
    if (advice === undefined) throw new Error(`src/reference/errors.ts has no advice for ${name}`);
    return {
      name,
      /** Fragment of the error's link. */
      anchor: name.toLowerCase(),
      // The sentence that leads to the list of classes in the README has no list below it here.
      meaning: meaning.replace(/ The class tells the status:$/, ''),
      advice,
      statuses: [...classes].filter(([, kind]) => kind === name).map(([status]) => status),
    };
  });
}

/**
 * The error class of our client for each status: found out by answering a call with it, so that the page cannot
 * say anything else than the client does.
 */
export async function errorClasses(statuses: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const entries = [...new Set(statuses)].map(async (status) => [status, await errorClass(status)] as const);
  return new Map(await Promise.all(entries));
}

async function errorClass(status: number): Promise<string> {
  const client = createSpeechClient({
    apiKey: 'none',
    baseUrl: 'http://127.0.0.1',
    fetch: async () => Response.json({ status, message: '' }, { status }),
    retry: { retries: 0 },
  });
  const error = await client.models.get('none').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (SpeechError.isInstance(error)) return error.name;
  throw new Error(`the client answered a status ${status} without an error`, { cause: error });
}
