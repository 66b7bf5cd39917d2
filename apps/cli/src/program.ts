import {
  addSection,
  type Command,
  createProgram as createSharedProgram,
  InvalidArgumentError,
  type Option,
} from '@speech-api/program';
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
  const summary = 'Text to speech, speech to text, voices and wallet, on the command line.';
  const program = createSharedProgram('speech', summary, version)
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'print results and errors only')
    .option('-v, --verbose', 'print what is sent and the details of an error')
    .option('--profile <name>', 'the profile of the configuration file (env: SPEECH_PROFILE)')
    .option('--base-url <url>', 'the address of the service (env: SPEECH_BASE_URL)')
    .option('--config <file>', 'the configuration file (env: SPEECH_CONFIG)')
    .option('--no-color', 'print without colours (env: NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: complain });
  addSection(program, 'Examples', [
    ['speech speak "Good morning." -o morning.mp3', 'a text becomes a file'],
    ['speech transcribe interview.mp3 --captions vtt', 'a recording becomes a text and captions'],
    ['speech doctor', 'checks the setup and says how to fix what fails'],
  ]);
  addSection(program, 'Environment', [
    ['SPEECH_API_KEY', 'the key, which is no option: command lines are visible to others'],
    ['SPEECH_MODEL', 'the model of commands that name none'],
    [
      'SPEECH_WEBSOCKET_URL',
      'the address of live sessions, with SPEECH_BASE_URL; without it, that of the service',
    ],
    ['SPEECH_PLAYER', 'a command that plays its stdin'],
  ]);
  const { done, failed, usage, access, network, interrupted } = exitCodes;
  program.addHelpText(
    'after',
    `
An option overrides the environment; the environment overrides the profile.

Exit codes:
  ${done} done   ${failed} the service or a file failed   ${usage} wrong use   ${access} key or credit   ${network} network
  ${interrupted} stopped by Ctrl-C`,
  );
  for (const line of commandList) addCommand(program, line);
  return program;

  function addCommand(parent: Command, line: CommandLine, load = line.load): void {
    const { name, does, takes = [], options = [], examples, commands = [], isDefault = false } = line;
    const command = parent.command(name, { isDefault }).description(does);
    for (const [argument, meaning] of takes) command.argument(argument, meaning);
    for (const option of options) command.addOption(neverEmpty(option));
    addSection(command, 'Examples', examples);
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
  if (!option.required || option.parseArg !== undefined) return option;
  return option.argParser((text: string) => {
    if (text === '') throw new InvalidArgumentError('It is empty.');
    return text;
  });
}
