// Plain JavaScript, because main.mjs uses it on the caller's Node.

/**
 * The arguments of `spawn` or `execFile` for a program that npm may have installed. On Windows such a program is a .cmd
 * file, which only a shell starts; each word is quoted there, so that a path with blanks stays one word.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {[string, string[], { shell: boolean }]}
 */
export function installedProgram(program, args, platform = process.platform) {
  if (platform !== 'win32') return [program, [...args], { shell: false }];
  return [[program, ...args].map((word) => `"${word}"`).join(' '), [], { shell: true }];
}
