import type { Command } from 'commander';

/** A shell completes file names itself when it gets this for want of anything better. */
const filesAllowed = ':0';
const noFiles = ':4';

/** What the script for bash takes from the package bash-completion, which not every machine has. */
const wordsForBash = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
}
`;

/** What goes into the start file of each shell. */
const startFiles = `
Examples, each a line of a start file:
  source <(speech complete bash)                                ~/.bashrc
  source <(speech complete zsh)                                 ~/.zshrc, after compinit
  speech complete fish | source                                 ~/.config/fish/config.fish
  speech complete powershell | Out-String | Invoke-Expression   $PROFILE`;

/** Adds `speech complete SHELL`. The library of completion is loaded only for it. */
export async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(program);
  program.commands.find((command) => command.name() === 'complete')?.addHelpText('after', startFiles);
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
