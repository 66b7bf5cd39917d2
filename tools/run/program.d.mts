export function installedProgram(
  program: string,
  args: readonly string[],
  platform?: NodeJS.Platform,
): [string, string[], { shell: boolean }];
