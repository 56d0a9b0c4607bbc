import { currentSpan, endingWith, type Attributes } from './span.js';

interface StatementFacts {
  name: string;
  attributes: Attributes;
}

const VERB = /^\s*(\w+)/;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+([a-z_]\w*)/;
const MAX_TEXT_LENGTH = 500;
/** Few statements vary; beyond this number they are read again. */
const MAX_KNOWN = 1_000;

const known = new Map<string, StatementFacts>();

/** Runs a statement as a part of the current span, if any; its parameters are not recorded. */
export function traceStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  const parent = currentSpan();
  if (parent === undefined) return run();
  const { name, attributes } = factsOf(text);
  return endingWith(parent.begin(name, 'client', attributes), run);
}

function factsOf(text: string): StatementFacts {
  const facts = known.get(text);
  if (facts !== undefined) return facts;
  if (known.size >= MAX_KNOWN) known.clear();
  const [, verb = 'statement'] = VERB.exec(text) ?? [];
  const [, table] = TABLE.exec(text) ?? [];
  const name = [verb.toUpperCase(), table].filter(Boolean).join(' ');
  const shortened = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
  const made = { name, attributes: { 'db.system.name': 'postgresql', 'db.query.text': shortened } };
  known.set(text, made);
  return made;
}
