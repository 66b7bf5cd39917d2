import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = '.turbo';
const path = `${folder}/install-and-build.lock`;

/**
 * Waits until no other command installs or builds in this clone, and resolves to the function that lets the next one go.
 * Several commands at once are normal (`npm start` beside `npm test`); two installs at once break `node_modules`.
 */
export async function holdLock() {
  mkdirSync(folder, { recursive: true });
  let told = false;
  while (!take()) {
    const owner = readOwner(path);
    // A container that starts anew counts its processes from 1 again: a lock with our own number is from before.
    if (owner !== undefined && (owner === process.pid || !isRunning(owner))) {
      removeStale(owner);
      continue;
    }
    if (!told && owner !== undefined) {
      process.stderr.write(`Waiting for process ${owner}, which installs or builds in this folder ...\n`);
      told = true;
    }
    await sleep(100);
  }
  const unlock = () => {
    process.off('exit', unlock);
    if (readOwner(path) === process.pid) rmSync(path, { force: true });
  };
  process.on('exit', unlock);
  return unlock;
}

/** A link appears whole or not at all: nobody ever reads a lock without its owner. */
function take() {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Of two processes that find the same stale lock only one can rename it; a live lock caught by mistake is put back. */
function removeStale(owner) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readOwner(aside) !== owner) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
