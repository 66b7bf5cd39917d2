import { spawn } from 'node:child_process';

/** Opens a page where there is a desktop to open it on; anywhere else this does nothing, and says nothing. */
export function openPage(url: string): void {
  const opener = openerOf(process.platform);
  if (opener === undefined || process.env.CI !== undefined || !process.stdout.isTTY) return;
  const [command, ...args] = opener;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // no opener installed: the printed URL is enough
  child.unref();
}

function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  const desktop = process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY;
  return desktop === undefined || desktop === '' ? undefined : ['xdg-open'];
}
