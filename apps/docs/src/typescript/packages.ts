import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The packages in the order in which most readers import them; the reference describes `@speech-api/types`. */
export const packages = [
  'client',
  'live',
  'recordings',
  'streaming',
  'audio',
  'msgpack',
  'ai-sdk',
  'relay',
  'mock',
  'contract',
  'sandbox',
].map(readPackage);

/** What a reader of the client's pages wants to do, and the exports that serve it; the last match counts. */
export const clientTasks = (
  [
    ['Create a client', /^createSpeechClient$|^SpeechClient/],
    ['Speak', /[sS]peech(?!Http|Client)|^Speaker|^Prosody|^ReferenceAudio|^AudioFormat|^SynthesisModel/],
    ['Stream', /^SpeechStream|^SpeechEvent|^CollectedSpeech|^Timeline|AudioStream|[rR]eadAudio/],
    ['Transcribe', /^Transcription|^SpokenTurn|^speakersOf/],
    ['Voices', /Model(?!$)|^VoiceModel|^WaitOptions/],
    ['Wallet', /^Wallet|Credit$|^Package$/],
    ['Errors', /Error$|^ErrorGuard$|^TimeoutPhase$|^ValidationIssue$/],
    ['Trace and log', /Trace|^Call(?:Outcome|Span)|^Log/],
    ['Options and calls', undefined],
  ] as const
).map(([label, names]) => ({ label, names, slug: `client/${label.toLowerCase().replaceAll(' ', '-')}` }));

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** A published package with something to import, and the declarations of its entry points by their page. */
function readPackage(slug: string) {
  const file = fileURLToPath(import.meta.resolve(`@speech-api/${slug}/package.json`));
  const { name, description, exports }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    // Workers and audio threads export nothing; three other entries are for our own packages.
    if (typeof target === 'string' || /\/(?:worker|worklet|browser|shared|pieces)$/.test(path)) return [];
    const declarations = fileURLToPath(new URL(target.types, `file://${file}`));
    return [{ specifier: `${name}${path.slice(1)}`, slug: `${slug}${path.slice(1)}`, file: declarations }];
  });
  return { name, slug, description, entries };
}
