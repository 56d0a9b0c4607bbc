import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { ROOT } from './programs.mjs';

const FILE = new URL('../RESULTS.md', import.meta.url);
const HEAD = `# Results of the resilience suites

The latest figures of \`npm run resilience -- <suite> --full\`, which replaces the section of its suite.
`;

/** Formats figures as a table in Markdown. */
export function table(figures) {
  const rows = figures.map(({ figure, reached, bar, passed }) => [figure, reached, bar, passed ? 'yes' : '**no**']);
  const lines = [['figure', 'reached', 'bar', 'passed'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Replaces the figures of a suite in RESULTS.md. */
export function saveResults(name, title, figures) {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const [head, ...sections] = text.split(/^(?=## )/m);
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`));
  const own = `## ${name}\n\n${title}\n\n${circumstances()}\n\n${table(figures)}\n`;
  const all = [...others, own].map((section) => section.trim()).sort();
  writeFileSync(FILE, `${[head.trim(), ...all].join('\n\n')}\n`);
}

function circumstances() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const sources = ['src', 'test', 'scripts', ':!test/faults/RESULTS.md'];
  const changes = git('status', '--porcelain', '--', ...sources) === '' ? '' : ' + changes';
  const commit = `commit ${git('rev-parse', '--short', 'HEAD')}${changes}`;
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
  const machine = `${cpus().length} cores, ${memory}, Node ${process.versions.node}`;
  return `${new Date().toISOString().slice(0, 10)}, ${commit}, ${machine}.`;
}
