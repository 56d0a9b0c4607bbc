import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FILES = ['jquery-trac.jsonl', 'beads-work-graph.jsonl'];
const GENERATED = 5_000;
const LONGEST = 2_000;

/** Reads the texts of real backlogs if the folder has them, otherwise generates texts. */
export async function readTexts(folder) {
  const files = FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (files.length === 0) return { source: 'generated words', texts: generateTexts() };
  const texts = [];
  for (const file of files) {
    const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
    for await (const line of lines) if (line.trim() !== '') texts.push(textOf(JSON.parse(line)));
  }
  return { source: `${texts.length} issues of real backlogs`, texts: texts.filter(({ title }) => title !== '') };
}

const clean = (text, most) =>
  // oxlint-disable-next-line no-control-regex
  [...text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ')].slice(0, most).join('').trim();

function textOf({ title, description }) {
  return { title: clean(title.replaceAll(/\s+/g, ' '), 300), description: clean(description ?? '', LONGEST) };
}

/** Generates the same texts in every run; few words are common and most are rare, as in a natural language. */
function generateTexts() {
  const random = randomFrom(7);
  const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'ti', 'vo', 'zu', 'dan', 'fer', 'gol', 'han', 'jup'];
  const pick = (items) => items[Math.floor(random() * items.length)];
  const words = Array.from({ length: 8_000 }, (_, n) =>
    Array.from({ length: n < 200 ? 2 : 3 }, () => pick(syllables)).join(''),
  );
  const sentence = (length) =>
    Array.from({ length }, () => words[Math.floor(words.length ** random()) - 1] ?? words[0]).join(' ');
  return Array.from({ length: GENERATED }, () => ({
    title: sentence(4 + Math.floor(random() * 8)),
    description: sentence(20 + Math.floor(random() * 140)),
  }));
}

/** Returns a generator of numbers from 0 to 1 that are the same in every run. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
