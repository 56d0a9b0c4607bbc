/**
 * What lets two releases run on one database (docs/upgrades.md): migrations say whether they expand or contract, and
 * statements name their columns.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const REMOVAL = /\b(?:DROP\s+(?:TABLE|COLUMN|VIEW)|RENAME\s+(?:TO|COLUMN)|RENAME\s+\w+\s+TO)\b/i;
const PHASE = /static readonly phase = '(expand|contract)'/;
const STAR = /(?:\bSELECT\s+(?:DISTINCT\s+)?|,\s*)(?:([a-z_]+)\.)?\*(?!\))/g;
const RETURNED_STAR = /\bRETURNING\s+(?:[a-z_]+\.)?\*(?!\s*\))/;
const ENTITY = /@Entity\(\s*(?:\{\s*name:\s*)?'([a-z_]+)'/g;

/** Whether the statement removes or renames what the previous release may use. */
export const removes = (statement) => REMOVAL.test(statement);

const read = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

export const readMigrations = (root) => read(root, 'src/migrations').filter(({ path }) => /\/\d+-/.test(path));

/** The sources whose statements run on the schemas of two releases; those of migrations and declarations are part of one. */
export const readSources = (root) =>
  read(root, 'src').filter(({ path }) => !path.startsWith('src/migrations/') && !path.endsWith('.database.ts'));

/** Returns a message for each migration that does not say its phase, and for each that says the wrong one. */
export function phaseFaults(files) {
  return files.flatMap(({ path, text }) => {
    const phase = PHASE.exec(text)?.[1];
    if (phase === undefined) return [`${path} does not say its phase; add: static readonly phase = 'expand'`];
    if (phase === 'contract') return [];
    return removes(upOf(text)) ? [`${path} removes something; its phase must be 'contract'`] : [];
  });
}

const upOf = (text) => text.split(/\basync down\(|\bdown\(runner/)[0];

/** Returns a message for each statement whose result has all columns of a table, which change when a release adds one. */
export function unnamedColumns(files) {
  const tables = new Set(files.flatMap(({ text }) => [...text.matchAll(ENTITY)].map(([, table]) => table)));
  return files.flatMap(({ path, text }) =>
    literalsOf(path, text)
      .filter((literal) => RETURNED_STAR.test(literal) || [...literal.matchAll(STAR)].some(isOfTable(literal, tables)))
      .map((literal) => `${path} does not name the columns of: ${literal.trim().replaceAll(/\s+/g, ' ').slice(0, 80)}`),
  );
}

/** Whether the star is part of the result, and stands for the columns of a table and not of a subquery. */
const isOfTable = (literal, tables) => (match) => {
  const before = literal.slice(0, match.index);
  if (before.split('(').length !== before.split(')').length) return false;
  const [, alias] = match;
  const name =
    alias === undefined
      ? /^\s*FROM\s+([a-z_]+)/.exec(literal.slice(match.index + match[0].length))?.[1]
      : new RegExp(`\\b(?:FROM|JOIN)\\s+([a-z_]+)\\s+(?:AS\\s+)?${alias}\\b`).exec(literal)?.[1];
  return name !== undefined && tables.has(name);
};

/** The string and template literals of a file; an inserted expression becomes `${}` and is read separately. */
function literalsOf(path, text) {
  const literals = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) literals.push(node.text);
    if (ts.isTemplateExpression(node)) {
      literals.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('${}'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return literals;
}
