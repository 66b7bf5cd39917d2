import type { Command } from '@speech-api/program';

/** A shell completes file names itself when it gets this for want of anything better. */
const filesAllowed = ':0';
const noFiles = ':4';

/** The function that the script for bash needs from the package bash-completion, if that is not installed. */
const wordsForBash = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
}
`;

const shells = 'bash, zsh or fish';

/** Lines for the startup file of each shell. */
const startFiles = `
Examples:
  source <(speech complete bash)   a line of ~/.bashrc
  source <(speech complete zsh)    a line of ~/.zshrc, after compinit
  speech complete fish | source    a line of ~/.config/fish/config.fish`;

/** Adds `speech complete SHELL`. The library of completion is loaded only where it is used. */
export async function addCompletion(program: Command, isUsed: boolean): Promise<void> {
  if (isUsed) (await import('@bomb.sh/tab/commander')).default(program);
  else
    program
      .command('complete')
      .argument('[shell]')
      .action(() => program.error('error: complete is the first word: speech complete SHELL'));
  const complete = program.commands.find((command) => command.name() === 'complete');
  complete
    ?.description("Print completion for your shell's startup file.")
    // The library names one more shell, in which it does not work well.
    .configureHelp({ ...complete.configureHelp(), argumentDescription: () => shells })
    .addHelpText('after', startFiles);
  if (!isUsed) return;
  // It prints, and never lets a shell complete file names, which most arguments here are. Nothing else runs in this process.
  const print = console.log;
  let isAny = false;
  console.log = (line: string) => {
    if (line.startsWith('# bash')) {
      const script = line.replaceAll(/^readonly /gm, '').replace(/^complete -F/m, 'complete -o default -F');
      print(wordsForBash + script);
    } else print(line === noFiles && !isAny ? filesAllowed : line);
    isAny = true;
  };
}
