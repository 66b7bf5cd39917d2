import {
  audioFormats,
  latencyModes,
  mp3Bitrates,
  opusBitrates,
  sampleRates,
  synthesisModels,
  synthesisRanges,
} from '@speech-api/types/constants';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions, Interrupt, Session } from './session.ts';
import { settingNames } from './settings.ts';
import { exitCodes } from './usage.ts';

type Action<Options> = (session: Session, options: Options, inputs: readonly string[]) => Promise<void>;

/** Every command with its options and examples. What a command does is loaded when it runs. */
export function createProgram(version: string, interrupt: Interrupt): Command {
  const program = new Command('speech')
    .description('Text to speech, speech to text, voices and wallet, on the command line.')
    .version(version)
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print results and errors only')
    .option('-v, --verbose', 'print what is sent and the details of an error')
    .option('--profile <name>', 'the profile of the configuration file')
    .option('--base-url <url>', 'the address of the service')
    .option('--config <file>', 'the configuration file')
    .option('--no-color', 'print without colours; NO_COLOR does the same')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showSuggestionAfterError();
  examples(program, [
    ['speech speak "Good morning." -o morning.mp3', 'a text becomes a file'],
    ['speech transcribe interview.mp3 --captions vtt', 'a recording becomes a text and captions'],
    ['speech doctor', 'what works, what does not, and how to fix it'],
  ]);
  program.addHelpText(
    'after',
    `
Environment:
  SPEECH_API_KEY, SPEECH_BASE_URL, SPEECH_MODEL, SPEECH_PROFILE, SPEECH_CONFIG, SPEECH_PLAYER, NO_COLOR
  An option comes before the environment, the environment before the profile.

Exit codes:
  ${exitCodes.done} done   ${exitCodes.failed} the service or a file failed   ${exitCodes.usage} wrong use   ${exitCodes.access} key or credit   ${exitCodes.network} network
  ${exitCodes.interrupted} stopped by Ctrl-C`,
  );

  const run =
    <Options>(load: () => Promise<Action<Options & CommonOptions>>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<Options & CommonOptions>();
      const { openSession } = await import('./session.ts');
      const session = await openSession(options, interrupt, version);
      const action = await load();
      await action(session, options, command.args);
    };

  const speak = soundOptions(
    program
      .command('speak')
      .argument('[text...]', 'what to say; a text file; or - for stdin')
      .description('Speak a text into a file, or play it.')
      .option('-o, --output <file>', 'the file to write, - for stdout; its ending names the format')
      .option('--play', 'play it; with -o, write it too'),
  )
    .option(
      '--reference <files...>',
      'clone the voice of these recordings; FILE.txt beside each says what is said',
    )
    .option('--speaker <name=voice...>', 'a dialogue: the text has lines like "Anna: Hello."')
    .addOption(new Option('--latency <mode>', 'quality or speed').choices(latencyModes))
    .option('--timestamps', 'write the time of each word to FILE.json')
    .addOption(
      new Option('--captions <kind>', 'write captions to FILE.vtt or FILE.srt').choices(['vtt', 'srt']),
    )
    .option(
      '--chapters',
      'begin a chapter at each heading, up to 255: lines with # or ##, underlined with === or ---, or such as "Chapter 1" between blank lines; in mp3, opus and m4b, else in FILE.chapters.json',
    )
    .option('--title <title>', 'the title that players show; not for wav and pcm')
    .option('--author <name>', 'the author that players show')
    .option(
      '--tag <name=text>',
      'more of what they show: album, narrator, year, genre or language; may be repeated',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--cover <image>', 'a picture for the file, jpeg or png')
    .option(
      '--journal <folder>',
      'keep finished parts of a long text here, not in FILE.parts; the same command goes on after a stop',
    )
    .option('--jobs <count>', 'how many parts of a long text are spoken side by side', positiveNumber, 2)
    .option('--force', 'replace files that are there')
    .option('--dry-run', 'say what would be done, and send nothing')
    .action(run(async () => (await import('./commands/speak.ts')).speak));
  examples(speak, [
    ['speech speak "Good morning." -o morning.mp3', 'one sentence'],
    ['speech speak chapter.txt -o chapter.opus --captions vtt', 'a text file, with captions'],
    ['echo "On time." | speech speak - --play', 'from a pipe, heard at once'],
    [
      'speech speak book.txt -o book.mp3 --chapters --title "The Sea" --cover sea.jpg',
      'an audiobook; the same line goes on after a stop',
    ],
    ['speech speak book.txt -o book.m4b --chapters --dry-run', 'its chapters; m4b needs ffmpeg'],
    ['speech speak play.txt --speaker Anna=ID Ben=ID -o play.mp3', 'a dialogue'],
  ]);

  examples(
    soundOptions(
      program
        .command('live')
        .argument('[text...]', 'what to say; without it, what is typed or piped')
        .description(
          'Speak text while it is still being written: typed lines, or the output of a language model.',
        )
        .option(
          '-o, --output <file>',
          'a file in place of playing, - for stdout; its ending names the format. Ctrl-C ends the text and finishes the file; a second one leaves no file',
        ),
    )
      .option('--force', 'replace a file that is there')
      .action(run(async () => (await import('./commands/live.ts')).live)),
    [
      ['speech live', 'type a line and hear it'],
      ['ask-a-model "Tell a story." | speech live', 'a model heard while it writes'],
      ['ask-a-model "Tell a story." | speech live -o story.mp3', 'the same into a file'],
      ['tail -f log.txt | speech live -o log.mp3', 'until Ctrl-C, which finishes the file'],
    ],
  );

  const transcribe = program
    .command('transcribe')
    .argument('<files...>', 'recordings of any length, or - for stdin; with --recursive, folders too')
    .description('Write down what is said in recordings.')
    .option('-o, --output <file>', 'the file for the text of one recording, - for stdout')
    .option('--output-dir <folder>', 'a folder for the text of each recording')
    .option('--language <code>', 'the language spoken, such as en; found out without it')
    .option('--timestamps', 'write the time of each segment to NAME.json')
    .addOption(
      new Option('--captions <kind>', 'write captions to NAME.vtt or NAME.srt').choices(['vtt', 'srt']),
    )
    .option('--words', 'a caption for each word')
    .option('--jsonl', 'print each part as a line of JSON as soon as it is there, in place of the text')
    .option('-r, --recursive', 'every recording in a folder and the folders in it')
    .option('--journal <folder>', 'keep finished parts here; the same command goes on after a stop')
    .option('--jobs <count>', 'how many parts are sent side by side', positiveNumber, 4)
    .option('--accept-truncated', 'transcribe a recording that breaks off as far as it goes')
    .option('--shrink', 'send 16 kHz mono: fewer, smaller parts; all but wav needs ffmpeg')
    .option(
      '--skip-done',
      'make only the outputs that are not there yet; those newer than the recording stay',
    )
    .option('--force', 'replace files that are there')
    .option('--dry-run', 'say what would be done, and send nothing')
    .action(run(async () => (await import('./commands/transcribe.ts')).transcribe));
  examples(transcribe, [
    ['speech transcribe interview.mp3', 'the text on stdout'],
    ['speech transcribe lecture.wav --captions srt --journal .speech', 'captions; goes on after a stop'],
    ['speech transcribe *.ogg --output-dir texts --skip-done', 'many recordings, those left to do'],
    ['speech transcribe -r interviews --output-dir texts', 'a folder of recordings'],
    ['speech transcribe concert.wav --shrink --dry-run', 'how many calls fewer a studio recording takes'],
    ['ffmpeg -f pulse -i default -t 30 -f wav - | speech transcribe -', 'a microphone'],
  ]);

  const voices = program.command('voices').description('List and manage voice models.');
  examples(voices, [
    ['speech voices list', 'what there is'],
    ['speech voices create sample.wav --title "My voice"', 'a voice of your own'],
  ]);
  examples(
    voices
      .command('list')
      .description('List voice models.')
      .option('--mine', 'your own only')
      .option('--title <text>', 'with this in the title')
      .option('--language <codes...>', 'that speak these languages')
      .option('--limit <count>', 'at most so many', positiveNumber, 20)
      .action(run(async () => (await import('./commands/voices.ts')).list)),
    [
      ['speech voices list --mine', 'your own voices'],
      ['speech voices list --language en --json', 'for a program'],
    ],
  );
  examples(
    voices
      .command('show')
      .argument('<id>')
      .description('Show one voice model.')
      .action(run(async () => (await import('./commands/voices.ts')).show)),
    [['speech voices show ID', 'all of its fields']],
  );
  examples(
    voices
      .command('create')
      .argument('<samples...>', 'recordings of the voice; FILE.txt beside each says what is said')
      .description('Make a voice model of recordings.')
      .requiredOption('--title <title>', 'its name')
      .option('--description <text>', 'what it is like')
      .option('--tag <tags...>', 'tags to find it by')
      .addOption(
        new Option('--visibility <who>', 'who may use it')
          .choices(['public', 'unlist', 'private'])
          .default('private'),
      )
      .option('--cover <image>', 'a picture; needed for a public voice')
      .action(run(async () => (await import('./commands/voices.ts')).create)),
    [['speech voices create sample.wav --title "My voice"', 'a private voice']],
  );
  examples(
    voices
      .command('update')
      .argument('<id>')
      .description('Change a voice model.')
      .option('--title <title>', 'a new name')
      .option('--description <text>', 'a new description')
      .option('--tag <tags...>', 'these tags in place of the old ones')
      .action(run(async () => (await import('./commands/voices.ts')).update)),
    [['speech voices update ID --title "Evening voice"', 'a new name']],
  );
  examples(
    voices
      .command('delete')
      .argument('<id>')
      .description('Delete a voice model.')
      .option('--yes', 'without a question')
      .action(run(async () => (await import('./commands/voices.ts')).remove)),
    [['speech voices delete ID --yes', 'in a script']],
  );

  examples(
    program
      .command('wallet')
      .description('Show the credit and the package of your key.')
      .action(run(async () => (await import('./commands/wallet.ts')).wallet)),
    [
      ['speech wallet', 'what is left'],
      ['speech wallet --json', 'for a program'],
    ],
  );
  examples(
    program
      .command('doctor')
      .description(
        'Check key, address, latency, clock and versions. Asks the service for the credit, which is free.',
      )
      .action(run(async () => (await import('./commands/doctor.ts')).doctor)),
    [['speech doctor', 'each check, and how to fix what fails']],
  );

  const config = program
    .command('config')
    .description('Show and change the configuration file and its profiles.');
  examples(config, [
    ['speech config', 'the settings in force'],
    ['speech config set voice ID --profile work', 'a setting of another profile'],
    ['speech config key', 'store the key'],
  ]);
  examples(
    config
      .command('show', { isDefault: true })
      .description('Show what is in force and where it comes from; never the key.')
      .action(run(async () => (await import('./commands/config.ts')).show)),
    [['speech config', 'the settings in force']],
  );
  examples(
    config
      .command('set')
      .argument('<name>', settingNames.join(', '))
      .argument('<value>')
      .description('Keep a setting in the profile.')
      .action(run(async () => (await import('./commands/config.ts')).set)),
    [['speech config set base_url https://api.example.com', 'the address of the service']],
  );
  examples(
    config
      .command('unset')
      .argument('<name>', settingNames.join(', '))
      .description('Take a setting out of the profile.')
      .action(run(async () => (await import('./commands/config.ts')).unset)),
    [['speech config unset voice', 'back to the default']],
  );
  examples(
    config
      .command('key')
      .description('Store the API key in a file that only you can read. Asks for it, or reads it from stdin.')
      .action(run(async () => (await import('./commands/config.ts')).key)),
    [
      ['speech config key', 'asks, and shows nothing'],
      ['pass show speech | speech config key', 'from a password store'],
    ],
  );

  return program;
}

/** The options of everything that speaks. */
function soundOptions(command: Command): Command {
  const { minimum, maximum } = synthesisRanges['prosody.speed'];
  const rates = [...new Set(Object.values(sampleRates).flat())].sort((one, other) => one - other);
  return command
    .addOption(new Option('--format <format>', 'the audio format').choices(audioFormats))
    .option('--voice <id>', 'a voice model: see speech voices list')
    .addOption(new Option('--model <model>', `the model, such as ${synthesisModels.join(', ')}`))
    .option('--rate <hertz>', `the sample rate: ${rates.join(', ')}; not each format has all`, wholeNumber)
    .option(
      '--bitrate <rate>',
      `mp3: ${mp3Bitrates.join(', ')} kbps; opus: ${opusBitrates.join(', ')} bps`,
      wholeNumber,
    )
    .option('--speed <factor>', `how fast, from ${minimum} to ${maximum}; 1 is normal`, number)
    .option('--volume <decibels>', 'how loud, 0 is normal', number);
}

function examples(command: Command, lines: readonly (readonly [string, string])[]): void {
  const width = Math.max(...lines.map(([line]) => line.length));
  const text = lines.map(([line, meaning]) => `  ${line.padEnd(width)}   ${meaning}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${text}`);
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
