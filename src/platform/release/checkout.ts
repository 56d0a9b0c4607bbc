import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The version in package.json. */
export function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The checked-out commit, shortened to 12 digits; null without a repository. */
export function checkedOutCommit(root = ROOT): string | null {
  try {
    const git = gitDirectory(join(root, '.git'));
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
    const commit = head.startsWith('ref: ') ? commitOf(head.slice(5), git) : head;
    return /^[0-9a-f]{40,}$/.test(commit ?? '') ? (commit ?? '').slice(0, 12) : null;
  } catch {
    return null;
  }
}

/** The git directory; in an additional worktree, `.git` is a file with its path. */
function gitDirectory(path: string): string {
  if (statSync(path).isDirectory()) return path;
  return resolve(
    dirname(path),
    readFileSync(path, 'utf8')
      .replace(/^gitdir: /, '')
      .trim(),
  );
}

function commitOf(reference: string, git: string): string | undefined {
  const common = join(git, 'commondir');
  const shared = existsSync(common) ? resolve(git, readFileSync(common, 'utf8').trim()) : git;
  const loose = [git, shared].map((folder) => join(folder, reference)).find((file) => existsSync(file));
  if (loose !== undefined) return readFileSync(loose, 'utf8').trim();
  const packed = readFileSync(join(shared, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${reference}`))?.split(' ')[0];
}
