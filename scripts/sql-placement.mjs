/**
 * Which files of a feature may contain SQL (docs/architecture.md, "Statements"). SQL is found by syntax, in string and
 * template literals.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = 'src/modules';
const HOMES = /\.(?:repository|view|list|entity|containment|database)\.ts$/;
/** Functions and triggers keep what several features store consistent, so they may name the tables of others. */
const DECLARATION = /\.database\.ts$/;
const STATEMENT =
  /\b(?:SELECT\s|INSERT\s+INTO\s|DELETE\s+FROM\s|UPDATE\s+[\w${}.]+(?:\s+\w+)?\s+SET\s|(?:ROLLBACK TO )?SAVEPOINT\s)/;
/** One or several tables, each with its alias: `FROM tasks t, users u`. Keywords are in capitals, names are not. */
const TABLES = /\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+([a-z_]+\b(?: [a-z_]+\b)?(?:,\s*[a-z_]+\b(?: [a-z_]+\b)?)*)/g;
const ENTITY = /@Entity\(\s*(?:\{\s*name:\s*)?'([a-z_]+)'/g;

/** The source files of the features, without their tests. */
export function readFeatures(root) {
  return readdirSync(join(root, ROOT), { recursive: true })
    .map((name) => `${ROOT}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Returns a message for each file with misplaced SQL, and for each table that a feature names although another owns it. */
export function sqlViolations(files) {
  const read = files.map(({ path, text }) => ({ path, literals: literalsOf(path, text) }));
  return [...placementFaults(read), ...ownershipFaults(read, ownersOf(files))];
}

const placementFaults = (files) =>
  files
    .filter(({ path, literals }) => !HOMES.test(path) && literals.some((literal) => STATEMENT.test(literal)))
    .map(({ path }) => `${path} holds SQL; move it to the repository, view or list of its feature`);

function ownershipFaults(files, owners) {
  const named = new Map();
  for (const { path, literals } of files.filter((file) => !DECLARATION.test(file.path))) {
    const feature = featureOf(path);
    for (const table of literals.flatMap(tablesIn)) {
      if (!owners.has(table) || owners.get(table) === feature) continue;
      const key = `${feature} ${table}`;
      named.set(key, [...new Set([...(named.get(key) ?? []), path])]);
    }
  }
  return [...named].map(([key, paths]) => {
    const table = key.split(' ')[1];
    return `${paths.join(', ')}: the table ${table} belongs to ${owners.get(table)}; call its repository or read a view`;
  });
}

/** The owning feature of each table, from the entities. */
const ownersOf = (files) =>
  new Map(
    files
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap(({ path, text }) => [...text.matchAll(ENTITY)].map(([, table]) => [table, featureOf(path)])),
  );

const featureOf = (path) => path.slice(ROOT.length + 1).split('/')[0];

const tablesIn = (literal) =>
  [...literal.matchAll(TABLES)].flatMap(([, tables]) => tables.split(',').map((table) => table.trim().split(' ')[0]));

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
