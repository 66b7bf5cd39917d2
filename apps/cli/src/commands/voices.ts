import { openAudioFile } from '@speech-api/client/node';
import type { VoiceModel } from '@speech-api/types';
import type { visibilities } from '@speech-api/types/constants';
import { ask } from '../ask.ts';
import { readSamples } from '../samples.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { plain } from '../terminal.ts';
import { UsageError } from '../usage.ts';

interface ListOptions extends CommonOptions {
  readonly mine?: boolean;
  readonly title?: string;
  readonly language?: readonly string[];
  readonly limit: number;
}

export async function list(session: Session, options: ListOptions): Promise<void> {
  const { mine, title, language, limit } = options;
  const filters = {
    page_size: Math.min(limit, 100),
    ...(mine ? { self: true } : {}),
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language: [...language] }),
  };
  const voices: VoiceModel[] = [];
  for await (const voice of session.client().models.list(filters, { signal: session.signal })) {
    voices.push(voice);
    if (voices.length >= limit) break;
  }
  if (options.json) {
    printJson(voices);
    return;
  }
  const width = Math.max(0, ...voices.map(({ _id }) => plain(_id).length));
  for (const { _id, title, languages = [], visibility, state } of voices) {
    process.stdout.write(
      `${plain(_id).padEnd(width)}  ${plain(title)}  [${plain([...languages, visibility, state].join(', '))}]\n`,
    );
  }
  if (voices.length === 0) session.terminal.note('no voice fits');
}

export async function show(
  session: Session,
  options: CommonOptions,
  inputs: readonly string[],
): Promise<void> {
  const voice = await session.client().models.get(inputs[0] ?? '', { signal: session.signal });
  if (options.json) {
    printJson(voice);
    return;
  }
  for (const [name, value] of Object.entries(voice)) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(18)} ${plain(shown)}\n`);
  }
}

interface CreateOptions extends CommonOptions {
  readonly title: string;
  readonly description?: string;
  readonly tag?: readonly string[];
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
      'Some recordings have a text beside them and some have none. Give each one a FILE.txt, or none.',
    );
  }
  const voice = await session.client().models.create(
    {
      type: 'tts',
      title,
      train_mode: 'fast',
      visibility,
      voices: samples.map(({ audio }) => audio),
      ...(texts.length > 0 ? { texts } : {}),
      ...(description === undefined ? {} : { description }),
      ...(tag === undefined ? {} : { tags: [...tag] }),
      ...(cover === undefined ? {} : { cover_image: await openAudioFile(cover) }),
    },
    { signal: session.signal },
  );
  if (options.json) printJson(voice);
  else process.stdout.write(`${plain(voice._id)}\n`);
}

interface UpdateOptions extends CommonOptions {
  readonly title?: string;
  readonly description?: string;
  readonly tag?: readonly string[];
}

export async function update(
  session: Session,
  options: UpdateOptions,
  inputs: readonly string[],
): Promise<void> {
  const { title, description, tag } = options;
  if (title === undefined && description === undefined && tag === undefined) {
    throw new UsageError('Nothing to change: use --title, --description or --tag.');
  }
  const changes = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(tag === undefined ? {} : { tags: [...tag] }),
  };
  await session.client().models.update(inputs[0] ?? '', changes, { signal: session.signal });
  session.terminal.note(`changed ${plain(inputs[0] ?? '')}`);
}

interface RemoveOptions extends CommonOptions {
  readonly yes?: boolean;
}

export async function remove(
  session: Session,
  options: RemoveOptions,
  inputs: readonly string[],
): Promise<void> {
  const id = inputs[0] ?? '';
  if (!options.yes) {
    const otherwise = 'Nobody can be asked here. Delete without a question: --yes';
    const answer = await ask({
      text: `Delete ${plain(id)} for good? [y/N] `,
      otherwise,
      signal: session.signal,
    });
    if (!/^y(es)?$/i.test(answer.trim())) {
      session.terminal.note('nothing was deleted');
      return;
    }
  }
  await session.client().models.delete(id, { signal: session.signal });
  session.terminal.note(`deleted ${plain(id)}`);
}
