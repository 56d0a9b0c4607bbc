import { documentIn, propertyIn, recordIn, USER_SCHEMA, type ScimDocument } from './scim-documents.js';
import { Effort, matchesElement, requiredBy, type Element } from './scim-elements.js';
import { invalid } from './scim-error.js';
import { parseTarget, type TargetPath } from './scim-filter.js';

/** One operation of a PATCH, for one attribute. */
export interface Change {
  op: 'add' | 'replace' | 'remove';
  target: TargetPath;
  value: unknown;
}

const MAX_OPERATIONS = 1_000;
/** Of all paths together: a thousand that each name one member have 60,000. */
const MAX_PATH_LETTERS = 100_000;
/** Attributes that only the service sets; without a path, as part of a whole resource, they are ignored. */
const READ_ONLY = ['id', 'meta', 'schemas', 'groups'];

/**
 * Reads the operations of a PATCH as changes of single attributes. Understands how Entra ID and Okta write them: `op` in
 * capitals, and operations without a path, whose value names the attributes, also by paths.
 */
export function readChanges(body: unknown): Change[] {
  const operations = propertyIn(documentIn(body), 'Operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw invalid('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  assertPathsAreReadable(operations);
  const changes = operations.flatMap(changesOf);
  if (changes.length > MAX_OPERATIONS)
    throw invalid('invalidSyntax', `Operations can change at most ${MAX_OPERATIONS} attributes.`);
  return changes;
}

/** Every path is parsed before the first change. */
function assertPathsAreReadable(operations: readonly unknown[]): void {
  let letters = 0;
  for (const operation of operations) {
    const path = propertyIn(documentIn(operation), 'path');
    if (typeof path === 'string') letters += path.length;
  }
  if (letters > MAX_PATH_LETTERS) throw invalid('tooMany', 'The paths are too long; send fewer operations at a time.');
}

function changesOf(operation: unknown): Change[] {
  const document = documentIn(operation);
  const word = propertyIn(document, 'op');
  const op = (['add', 'replace', 'remove'] as const).find(
    (one) => typeof word === 'string' && one === word.toLowerCase(),
  );
  if (op === undefined) throw invalid('invalidSyntax', 'op must be add, replace or remove.');
  const [path, value] = [propertyIn(document, 'path'), propertyIn(document, 'value')];
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw invalid('invalidPath', 'path must be a text.');
    return [changeOf(op, parseTarget(path), value)];
  }
  if (op === 'remove') throw invalid('noTarget', 'A remove operation needs a path.');
  const named = recordIn(value);
  if (named === undefined) throw invalid('invalidValue', 'An operation without a path needs an object as value.');
  return Object.entries(named).flatMap(([name, one]) => {
    const target = parseTarget(name);
    return READ_ONLY.includes(target.attribute) ? [] : [{ op, target, value: one }];
  });
}

function changeOf(op: Change['op'], target: TargetPath, value: unknown): Change {
  if (READ_ONLY.includes(target.attribute)) throw invalid('mutability', `${target.attribute} cannot be changed.`);
  if (op !== 'remove' && value === undefined) throw invalid('invalidValue', `A ${op} operation needs a value.`);
  return { op, target, value };
}

/** Whether a change names a schema whose attributes the service does not keep. */
export const isForeign = ({ urn }: TargetPath, schema: string): boolean =>
  urn !== undefined && urn !== schema.toLowerCase();

const SIMPLE = ['userName', 'externalId', 'displayName', 'active'];
const NAME_PARTS = ['formatted', 'givenName', 'familyName'];
const EMAIL_PARTS = ['value', 'type', 'primary'];
/** More would be refused afterwards; bounds the work before. */
const MAX_ELEMENTS = 50;
const MAX_LETTERS = 1_000;
const tooManyElements = () => invalid('invalidValue', 'emails has too many elements.');

const canonical = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase());

/** A person after the changes. Attributes that the service does not keep are ignored. */
export function patchedUser(document: ScimDocument, changes: readonly Change[]): ScimDocument {
  const next: ScimDocument = { ...document };
  const effort = new Effort();
  for (const change of changes) {
    if (!isForeign(change.target, USER_SCHEMA)) apply(next, change, effort);
  }
  return next;
}

function apply(document: ScimDocument, change: Change, effort: Effort): void {
  const { attribute } = change.target;
  const simple = canonical(SIMPLE, attribute);
  if (simple !== undefined) setSimple(document, simple, change);
  else if (attribute === 'password') document.password = change.value;
  else if (attribute === 'name') document.name = changedName(document.name, change);
  else if (attribute === 'emails') {
    const emails = changedEmails((document.emails ?? []) as Element[], change, effort);
    if (emails.length > MAX_ELEMENTS) throw tooManyElements();
    document.emails = emails;
  }
}

function setSimple(document: ScimDocument, name: string, { op, target, value }: Change): void {
  if (target.sub !== undefined || target.filter !== undefined) throw invalid('invalidPath', `${name} has no parts.`);
  if (op !== 'remove') document[name] = value;
  else if (name === 'active' || name === 'userName') throw invalid('mutability', `${name} cannot be removed.`);
  else document[name] = null;
}

function changedName(current: unknown, { op, target: { sub, filter }, value }: Change): ScimDocument {
  if (filter !== undefined) throw invalid('invalidPath', 'name is no list.');
  const name: ScimDocument = { ...recordIn(current) };
  if (sub !== undefined) {
    const part = canonical(NAME_PARTS, sub);
    if (part !== undefined) name[part] = op === 'remove' ? null : value;
    return name;
  }
  if (op === 'remove' || value === null) return {};
  const parts = recordIn(value);
  if (parts === undefined) throw invalid('invalidValue', 'name must be an object.');
  return { ...name, ...partsOf(parts, NAME_PARTS) };
}

/** The known parts of an element, by their canonical names. */
const partsOf = (element: Element, names: readonly string[]): Element =>
  Object.fromEntries(
    Object.entries(element).flatMap(([key, value]) => {
      const name = canonical(names, key);
      return name === undefined ? [] : [[name, value]];
    }),
  );

function elementsIn(value: unknown): Element[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  if (list.length > MAX_ELEMENTS) throw tooManyElements();
  return list.map((one) => {
    const element = recordIn(one);
    if (element === undefined) throw invalid('invalidValue', 'emails must be a list of objects.');
    return short(partsOf(element, EMAIL_PARTS));
  });
}

/** The element, whose texts are not too long to be compared often. */
function short(element: Element): Element {
  const isLong = Object.values(element).some((part) => typeof part === 'string' && part.length > MAX_LETTERS);
  if (isLong) throw invalid('invalidValue', 'emails contains a text that is too long.');
  return element;
}

function changedEmails(emails: Element[], change: Change, effort: Effort): Element[] {
  const { op, target, value } = change;
  if (target.filter !== undefined || target.sub !== undefined) return changedElements(emails, change, effort);
  if (op === 'replace') return elementsIn(value);
  if (op === 'add') return elementsIn(value).reduce((known, added) => withElement(known, added, effort), emails);
  const removed = elementsIn(value).map(({ value: one }) => one);
  return removed.length === 0 ? [] : emails.filter(({ value: one }) => !removed.includes(one));
}

/** Changes the elements that the path selects; adding to one that does not exist creates it, as Entra ID expects. */
function changedElements(emails: Element[], { op, target: { filter, sub }, value }: Change, effort: Effort): Element[] {
  const isSelected = (email: Element): boolean => filter === undefined || matchesElement(email, filter, effort);
  if (op === 'remove' && sub === undefined) return emails.filter((email) => !isSelected(email));
  const part = sub === undefined ? undefined : canonical(EMAIL_PARTS, sub);
  if (sub !== undefined && part === undefined) return emails;
  if (op === 'remove')
    return emails.map((email) => (isSelected(email) ? without(email, part) : email)).filter(hasValue);
  const given = part === undefined ? (elementsIn(value)[0] ?? {}) : short({ [part]: value });
  if (emails.some(isSelected)) return emails.map((email) => (isSelected(email) ? { ...email, ...given } : email));
  if (op === 'replace') throw invalid('noTarget', 'No element of emails is selected by the path.');
  return withElement(emails, { ...(filter && requiredBy(filter)), ...given }, effort);
}

const hasValue = ({ value }: Element): boolean => value !== undefined;
const without = (email: Element, part = ''): Element =>
  Object.fromEntries(Object.entries(email).filter(([name]) => name !== part));

/** Adds an element, or completes the one with the same value; a new primary one replaces the former. */
function withElement(emails: Element[], added: Element, effort: Effort): Element[] {
  effort.spend(emails.length);
  const fold = ({ value }: Element): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
  const others = emails.map((email) =>
    added.primary === true && email.primary === true ? { ...email, primary: false } : email,
  );
  const at = others.findIndex((email) => fold(email) === fold(added));
  return at === -1 ? [...others, added] : others.with(at, { ...others[at], ...added });
}
