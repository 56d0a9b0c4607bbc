import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Formats the texts as `npm run format` does, by path; fails before anything is written. */
export async function formatted(root, texts) {
  const prettier = await import('prettier');
  const result = new Map();
  for (const [path, text] of texts) {
    const options = await prettier.resolveConfig(join(root, path));
    result.set(path, await prettier.format(text, { ...options, filepath: join(root, path) }));
  }
  return result;
}

/** Writes all of the files, or none: after an error, the files are as they were. */
export function writeAll(root, texts) {
  const before = [...texts.keys()].map((path) => {
    const file = join(root, path);
    return [file, existsSync(file) ? readFileSync(file) : undefined];
  });
  try {
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  } catch (error) {
    for (const [file, content] of before) {
      if (content === undefined) rmSync(file, { force: true });
      else writeFileSync(file, content);
    }
    throw error;
  }
}
