import { openAudioFile } from '@speech-api/client/node';
import type { VoiceModel } from '@speech-api/types';
import type { visibilities } from '@speech-api/types/constants';
import { ask } from '../ask.ts';
import { readSamples } from '../files.ts';
import { given } from '../given.ts';
import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { plain } from '../terminal.ts';
import { UsageError } from '../usage.ts';

interface ListOptions extends CommonOptions {
  readonly mine?: true;
  readonly title?: string;
  readonly language?: readonly string[];
  readonly limit: number;
}

export async function list(session: Session, options: ListOptions): Promise<void> {
  const { mine: self, title, limit } = options;
  const language = options.language && [...options.language];
  const filters = given({ page_size: Math.min(limit, 100), self, title, language });
  const voices: VoiceModel[] = [];
  for await (const voice of session.client().models.list(filters, { signal: session.signal })) {
    voices.push(voice);
    if (voices.length >= limit) break;
  }
  if (options.json) return printJson(voices);
  const width = Math.max(0, ...voices.map(({ _id }) => plain(_id).length));
  for (const { _id, title, languages = [], visibility, state } of voices) {
    const facts = plain([...languages, visibility, state].join(', '));
    print(`${plain(_id).padEnd(width)}  ${plain(title)}  [${facts}]\n`);
  }
  if (voices.length === 0) session.terminal.note('no voice matches');
}

export async function show(
  session: Session,
  options: CommonOptions,
  [id = '']: readonly string[],
): Promise<void> {
  const voice = await session.client().models.get(id, { signal: session.signal });
  if (options.json) return printJson(voice);
  for (const [name, value] of Object.entries(voice)) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    print(`${name.padEnd(18)} ${plain(shown)}\n`);
  }
}

interface UpdateOptions extends CommonOptions {
  readonly title?: string;
  readonly description?: string;
  readonly tag?: readonly string[];
}

interface CreateOptions extends UpdateOptions {
  readonly title: string;
  readonly visibility: (typeof visibilities)[number];
  readonly cover?: string;
}

export async function create(
  session: Session,
  options: CreateOptions,
  inputs: readonly string[],
): Promise<void> {
  const { title, description, tag, visibility, cover } = options;
  if (visibility === 'public' && cover === undefined)
    throw new UsageError('A public voice needs a picture: --cover IMAGE');
  const samples = await readSamples(inputs);
  const texts = samples.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length > 0 && texts.length < samples.length) {
    throw new UsageError(
      'Some recordings have a text next to them and some have none. Give each one a FILE.txt, or none.',
    );
  }
  const voice = await session.client().models.create(
    given({
      type: 'tts',
      train_mode: 'fast',
      title,
      description,
      visibility,
      voices: samples.map(({ audio }) => audio),
      texts: texts.length > 0 ? texts : undefined,
      tags: tag && [...tag],
      cover_image: cover === undefined ? undefined : await openAudioFile(cover),
    } as const),
    { signal: session.signal },
  );
  if (options.json) printJson(voice);
  else print(`${plain(voice._id)}\n`);
}

export async function update(
  session: Session,
  { title, description, tag }: UpdateOptions,
  [id = '']: readonly string[],
): Promise<void> {
  const changes = given({ title, description, tags: tag && [...tag] });
  if (Object.keys(changes).length === 0)
    throw new UsageError('Nothing to change: use --title, --description or --tag.');
  await session.client().models.update(id, changes, { signal: session.signal });
  session.terminal.note(`changed ${plain(id)}`);
}

async function remove(
  session: Session,
  options: CommonOptions & { readonly yes?: boolean },
  [id = '']: readonly string[],
): Promise<void> {
  const { signal, terminal } = session;
  if (!options.yes) {
    const otherwise = 'There is no terminal to ask on. To delete without a question, use --yes';
    const answer = await ask({ text: `Delete ${plain(id)} for good? [y/N] `, otherwise, signal });
    if (!/^y(es)?$/i.test(answer.trim())) return terminal.note('nothing was deleted');
  }
  await session.client().models.delete(id, { signal });
  terminal.note(`deleted ${plain(id)}`);
}

export { remove as delete };
