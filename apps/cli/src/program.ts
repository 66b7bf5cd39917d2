import { Command, InvalidArgumentError, type Option } from 'commander';
import { type Action, type CommandLine, commandList } from './command-list.ts';
import type { CommonOptions, Interrupt } from './session.ts';
import { exitCodes } from './usage.ts';

/**
 * Every command with its options and examples. The code of a command is loaded when it runs.
 *
 * @param complain - Gets what the parser has to say of a wrong command line, and a help that nobody asked for.
 */
export function createProgram(
  version: string,
  interrupt: Interrupt,
  complain: (text: string) => void,
): Command {
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
    .configureOutput({ writeErr: complain })
    .exitOverride()
    .showSuggestionAfterError();
  addExamples(program, [
    ['speech speak "Good morning." -o morning.mp3', 'a text becomes a file'],
    ['speech transcribe interview.mp3 --captions vtt', 'a recording becomes a text and captions'],
    ['speech doctor', 'checks the setup and says how to fix what fails'],
  ]);
  program.addHelpText(
    'after',
    `
Environment:
  SPEECH_API_KEY, SPEECH_BASE_URL, SPEECH_MODEL, SPEECH_PROFILE, SPEECH_CONFIG, SPEECH_PLAYER, NO_COLOR
  SPEECH_WEBSOCKET_URL: the address of live sessions, with SPEECH_BASE_URL; without it, that of the service
  An option overrides the environment; the environment overrides the profile.

Exit codes:
  ${exitCodes.done} done   ${exitCodes.failed} the service or a file failed   ${exitCodes.usage} wrong use   ${exitCodes.access} key or credit   ${exitCodes.network} network
  ${exitCodes.interrupted} stopped by Ctrl-C`,
  );
  for (const line of commandList) addCommand(program, line);
  return program;

  function addCommand(parent: Command, line: CommandLine, load = line.load): void {
    const { name, does, takes = [], options = [], examples, commands = [], isDefault = false } = line;
    const command = parent.command(name, { isDefault }).description(does);
    for (const [argument, meaning] of takes) command.argument(argument, meaning);
    for (const option of options) command.addOption(neverEmpty(option));
    addExamples(command, examples);
    for (const inner of commands) addCommand(command, inner, load);
    if (commands.length > 0) return;
    command.action(async () => {
      const given = command.optsWithGlobals<CommonOptions>();
      const { openSession } = await import('./session.ts');
      const session = await openSession(given, interrupt, version);
      const actions = (await load?.()) as Readonly<Record<string, Action>>;
      await (actions[name] as Action)(session, given as never, command.args);
    });
  }
}

/** An empty value is that of a variable which is not set. */
function neverEmpty(option: Option): Option {
  if (!option.required || option.variadic || option.parseArg !== undefined) return option;
  return option.argParser((text: string) => {
    if (text === '') throw new InvalidArgumentError('It is empty.');
    return text;
  });
}

function addExamples(command: Command, lines: CommandLine['examples']): void {
  const width = Math.max(...lines.map(([line]) => line.length));
  const text = lines.map(([line, meaning]) => `  ${line.padEnd(width)}   ${meaning}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${text}`);
}
