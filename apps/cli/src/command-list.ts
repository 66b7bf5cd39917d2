import { InvalidArgumentError, Option, repeated, wholeNumber } from '@speech-api/program';
import {
  audioFormats,
  latencyModes,
  mp3Bitrates,
  opusBitrates,
  sampleRates,
  synthesisModels,
  synthesisRanges,
  visibilities,
} from '@speech-api/types/constants';
import type { Session } from './session.ts';
import { settingNames } from './settings.ts';

/** One command of `speech`, or a group of commands. */
export interface CommandLine {
  readonly name: string;
  readonly does: string;
  /** Its arguments with their meanings. */
  readonly takes?: readonly (readonly [name: string, meaning?: string])[];
  readonly options?: readonly Option[];
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Loads the action when the command runs. A group has no action of its own; its commands do. */
  readonly load?: () => Promise<unknown>;
  readonly commands?: readonly CommandLine[];
  /** True if the group runs this command when none is named. */
  readonly isDefault?: boolean;
}

/** Each action declares the options that it reads; this list declares how they are parsed. */
export type Action = (session: Session, options: never, inputs: readonly string[]) => Promise<void>;

const count = wholeNumber(1, 999_999_999);
const integer = wholeNumber(Number.MIN_SAFE_INTEGER);
const force = new Option('--force', 'overwrite existing files');
const dryRun = new Option('--dry-run', 'print what would be done, and send nothing');

/** The options of everything that speaks. */
function soundOptions(): Option[] {
  const { minimum, maximum } = synthesisRanges['prosody.speed'];
  const rates = [...new Set(Object.values(sampleRates).flat())].sort((first, second) => first - second);
  return [
    new Option('--format <format>', 'the audio format').choices(audioFormats),
    new Option('--voice <id>', 'a voice model: see speech voices list'),
    new Option('--model <model>', `the model, such as ${synthesisModels.join(', ')}`),
    parsed('--rate <hertz>', `the sample rate: ${rates.join(', ')}; each format has some of them`, integer),
    parsed(
      '--bitrate <rate>',
      `mp3: ${mp3Bitrates.join(', ')} kbps; opus: ${opusBitrates.join(', ')} bps (below 0: the service chooses)`,
      integer,
    ),
    parsed('--speed <factor>', `how fast, from ${minimum} to ${maximum}; 1 is normal`, number),
    parsed('--volume <decibels>', 'how loud, 0 is normal', number),
  ];
}

const speak: CommandLine = {
  name: 'speak',
  does: 'Speak a text into a file, or play it.',
  takes: [['[text...]', 'what to say; a text file; or - for stdin, which is also read where there is none']],
  options: [
    new Option(
      '-o, --output <file>',
      'the file to write, - for stdout; its extension sets the format; without it, speech.mp3 in the current folder, or the like for another --format',
    ),
    new Option('--play', 'play it; with -o, also write it'),
    new Option('--text', 'speak HTML or SSML as it is, without a question'),
    ...soundOptions(),
    many('--reference <file>', 'clone the voice of this recording; FILE.txt next to it says what is said'),
    many('--speaker <name=voice>', 'a speaker of a dialogue: the text has lines like "Anna: Hello."'),
    new Option('--latency <mode>', 'how soon the audio begins').choices(latencyModes),
    new Option('--timestamps', 'write the time of each word to FILE.json'),
    new Option('--captions <kind>', 'write captions to FILE.vtt or FILE.srt').choices(['vtt', 'srt']),
    new Option(
      '--journal <folder>',
      'keep finished parts of a long text in this folder instead of FILE.parts; after a stop, the same command continues from them',
    ),
    parsed('--jobs <count>', 'how many parts of a long text are synthesized in parallel', count, 2),
    force,
    dryRun,
  ],
  examples: [
    ['speech speak "Good morning." -o morning.mp3', 'one sentence'],
    ['speech speak chapter.txt -o chapter.opus --captions vtt', 'a text file, with captions'],
    ['echo "On time." | speech speak - --play', 'from a pipe, played as it comes'],
    ['speech speak book.txt -o book.mp3 --dry-run', 'how many calls, and how long'],
    ['speech speak play.txt --speaker Anna=ID --speaker Ben=ID -o play.mp3', 'a dialogue'],
  ],
  load: () => import('./commands/speak.ts'),
};

const live: CommandLine = {
  name: 'live',
  does: 'Speak text while it is still being written: typed lines, or the output of a language model.',
  takes: [['[text...]', 'what to say; without it, what is typed or piped']],
  options: [
    new Option(
      '-o, --output <file>',
      'write to a file instead of playing, - for stdout; its extension sets the format. Ctrl-C ends the text and finishes the file; a second one leaves no file',
    ),
    ...soundOptions(),
    force,
  ],
  examples: [
    ['speech live', 'type a line and hear it'],
    ['ask-a-model "Tell a story." | speech live', 'a model, spoken as it writes'],
    ['ask-a-model "Tell a story." | speech live -o story.mp3', 'the same into a file'],
    ['tail -f log.txt | speech live -o log.mp3', 'until Ctrl-C, which finishes the file'],
  ],
  load: () => import('./commands/live.ts'),
};

const transcribe: CommandLine = {
  name: 'transcribe',
  does: 'Write down what is said in recordings.',
  takes: [['<files...>', 'recordings of any length, or - for stdin; with --recursive, folders too']],
  options: [
    new Option(
      '-o, --output <file>',
      'the file for one recording, - for stdout: captions if it ends in .srt or .vtt, times if in .json, else text',
    ).conflicts('outputDir'),
    new Option('--output-dir <folder>', 'a folder for the text of each recording'),
    new Option('--language <code>', 'the language spoken, such as en; without it, the service detects it'),
    new Option('--speakers', 'tell speakers apart, and write a line for each turn'),
    new Option('--timestamps', 'write the time of each segment to NAME.json'),
    new Option('--captions <kind>', 'write captions to NAME.vtt or NAME.srt').choices(['vtt', 'srt']),
    new Option('--words', 'write a caption for each word'),
    new Option('--jsonl', 'print each part as a line of JSON as soon as it is done, instead of the text'),
    new Option('-r, --recursive', 'transcribe every recording in a folder and its subfolders'),
    new Option(
      '--journal <folder>',
      'keep finished parts in this folder instead of NAME.parts; after a stop, the same command continues from them',
    ),
    parsed('--jobs <count>', 'how many parts are sent in parallel, of all recordings together', count, 3),
    parsed('--track <number>', 'which track of sound is read, in a film or a meeting with several', count),
    new Option('--accept-truncated', 'transcribe an incomplete recording as far as it goes'),
    new Option('--skip-done', 'write only missing outputs; keep those newer than the recording'),
    force,
    dryRun,
  ],
  examples: [
    ['speech transcribe interview.mp3', 'the text on stdout'],
    ['speech transcribe lecture.wav -o lecture.txt --captions srt', 'text and captions'],
    ['speech transcribe *.ogg --output-dir texts --skip-done', 'many recordings, only those not done'],
    ['speech transcribe -r interviews --output-dir texts', 'a folder of recordings'],
    ['speech transcribe meeting.m4a --speakers', 'who says what'],
    ['speech transcribe concert.wav --dry-run', 'how many calls it takes'],
    ['ffmpeg -f pulse -i default -t 30 -f wav - | speech transcribe -', 'a microphone'],
  ],
  load: () => import('./commands/transcribe.ts'),
};

const voices: CommandLine = {
  name: 'voices',
  does: 'List and manage voice models.',
  examples: [
    ['speech voices list', 'all that you may use'],
    ['speech voices create sample.wav --title "My voice"', 'a voice of your own'],
  ],
  load: () => import('./commands/voices.ts'),
  commands: [
    {
      name: 'list',
      does: 'List voice models.',
      options: [
        new Option('--mine', 'only your own'),
        new Option('--title <text>', 'only those with this text in the title'),
        many('--language <code>', 'only those that speak this language'),
        parsed('--limit <count>', 'the maximum number of voices', count, 20),
      ],
      examples: [
        ['speech voices list --mine', 'your own voices'],
        ['speech voices list --language en --json', 'for a program'],
      ],
    },
    {
      name: 'show',
      does: 'Show one voice model.',
      takes: [['<id>']],
      examples: [['speech voices show ID', 'all of its fields']],
    },
    {
      name: 'create',
      does: 'Make a voice model from recordings.',
      takes: [['<samples...>', 'recordings of the voice; FILE.txt next to each says what is said']],
      options: [
        new Option('--title <title>', 'its name').makeOptionMandatory(),
        new Option('--description <text>', 'a description'),
        many('--tag <tag>', 'a tag to find it by'),
        new Option('--visibility <who>', 'who may use it').choices(visibilities).default('private'),
        new Option('--cover <image>', 'a picture; needed for a public voice'),
      ],
      examples: [['speech voices create sample.wav --title "My voice"', 'a private voice']],
    },
    {
      name: 'update',
      does: 'Change a voice model.',
      takes: [['<id>']],
      options: [
        new Option('--title <title>', 'a new name'),
        new Option('--description <text>', 'a new description'),
        many('--tag <tag>', 'replace the tags'),
      ],
      examples: [['speech voices update ID --title "Evening voice"', 'a new name']],
    },
    {
      name: 'delete',
      does: 'Delete a voice model.',
      takes: [['<id>']],
      options: [new Option('--yes', 'delete without a question')],
      examples: [['speech voices delete ID --yes', 'in a script']],
    },
  ],
};

const wallet: CommandLine = {
  name: 'wallet',
  does: 'Show the credit and the package of your key.',
  examples: [
    ['speech wallet', 'the balance'],
    ['speech wallet --json', 'for a program'],
  ],
  load: () => import('./commands/wallet.ts'),
};

const doctor: CommandLine = {
  name: 'doctor',
  does: 'Check key, address, latency and versions. Asks the service for the credit, which is free.',
  examples: [['speech doctor', 'each check, and how to fix what fails']],
  load: () => import('./commands/doctor.ts'),
};

const settingName = ['<name>', settingNames.join(', ')] as const;
const config: CommandLine = {
  name: 'config',
  does: 'Show and change the configuration file and its profiles.',
  examples: [
    ['speech config', 'the settings in force'],
    ['speech config set voice ID --profile work', 'a setting of another profile'],
    ['speech config key', 'store the key'],
  ],
  load: () => import('./commands/config.ts'),
  commands: [
    {
      name: 'show',
      does: 'Show what is in force and where it comes from; never the key.',
      examples: [['speech config', 'the settings in force']],
      isDefault: true,
    },
    {
      name: 'set',
      does: 'Set a value in the profile.',
      takes: [settingName, ['<value>']],
      examples: [['speech config set base_url https://api.example.com', 'the address of the service']],
    },
    {
      name: 'unset',
      does: 'Remove a setting from the profile.',
      takes: [settingName],
      examples: [['speech config unset voice', 'back to the default']],
    },
    {
      name: 'key',
      does: 'Store the API key in a file that only you can read. Asks for it, or reads it from stdin.',
      examples: [
        ['speech config key', 'asks, and shows nothing'],
        ['pass show speech | speech config key', 'from a password store'],
      ],
    },
  ],
};

export const commandList: readonly CommandLine[] = [speak, live, transcribe, voices, wallet, doctor, config];

/** An option that may be repeated. */
function many(flags: string, meaning: string): Option {
  return new Option(flags, `${meaning}; may be repeated`).argParser(repeated());
}

function parsed(flags: string, meaning: string, parse: (text: string) => number, usual?: number): Option {
  const option = new Option(flags, meaning).argParser(parse);
  return usual === undefined ? option : option.default(usual);
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}
