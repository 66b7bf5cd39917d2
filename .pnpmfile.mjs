// The root's package.json has what all published manifests share; it is added to each when it is packed.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const { repository, homepage, bugs, keywords } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

export const hooks = {
  beforePacking({ scripts, devDependencies, ...manifest }, folder) {
    const directory = relative(root, folder).split(sep).join('/');
    return {
      ...manifest,
      repository: { ...repository, directory },
      homepage,
      bugs,
      keywords: [...keywords, ...(manifest.keywords ?? [])],
    };
  },
};
