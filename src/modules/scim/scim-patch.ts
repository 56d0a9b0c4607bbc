import { isRecord } from '../../common/json.js';
import { documentIn, propertyIn, USER_SCHEMA, type ScimDocument } from './scim-documents.js';
import { invalid } from './scim-error.js';
import { matchesElement, parseTarget, requiredBy, type TargetPath } from './scim-filter.js';

/** One operation of a PATCH, for one attribute. */
export interface Change {
  op: 'add' | 'replace' | 'remove';
  target: TargetPath;
  value: unknown;
}

const MAX_OPERATIONS = 1_000;
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
  return operations.flatMap(changesOf);
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
  if (!isRecord(value)) throw invalid('invalidValue', 'An operation without a path needs an object as value.');
  return Object.entries(value).flatMap(([name, one]) => {
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
const MAX_ELEMENTS = 100;
const tooManyElements = () => invalid('invalidValue', 'emails has too many elements.');

const canonical = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase());

/** A person after the changes. Attributes that the service does not keep are ignored. */
export function patchedUser(document: ScimDocument, changes: readonly Change[]): ScimDocument {
  const next: ScimDocument = { ...document };
  for (const change of changes) {
    if (!isForeign(change.target, USER_SCHEMA)) apply(next, change);
  }
  return next;
}

function apply(document: ScimDocument, change: Change): void {
  const { attribute } = change.target;
  const simple = canonical(SIMPLE, attribute);
  if (simple !== undefined) setSimple(document, simple, change);
  else if (attribute === 'password') document.password = change.value;
  else if (attribute === 'name') document.name = changedName(document.name, change);
  else if (attribute === 'emails') {
    document.emails = changedEmails(document.emails, change);
    if ((document.emails as unknown[]).length > MAX_ELEMENTS) throw tooManyElements();
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
  const name: ScimDocument = isRecord(current) ? { ...current } : {};
  if (sub !== undefined) {
    const part = canonical(NAME_PARTS, sub);
    if (part !== undefined) name[part] = op === 'remove' ? null : value;
    return name;
  }
  if (op === 'remove' || value === null) return {};
  if (!isRecord(value)) throw invalid('invalidValue', 'name must be an object.');
  return { ...name, ...partsOf(value, NAME_PARTS) };
}

type Element = Record<string, unknown>;

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
  return list.map((element) => {
    if (!isRecord(element)) throw invalid('invalidValue', 'emails must be a list of objects.');
    return partsOf(element, EMAIL_PARTS);
  });
}

function changedEmails(current: unknown, change: Change): Element[] {
  const { op, target, value } = change;
  const emails = elementsIn(current);
  if (target.filter !== undefined || target.sub !== undefined) return changedElements(emails, change);
  if (op === 'replace') return elementsIn(value);
  if (op === 'add') return elementsIn(value).reduce(withElement, emails);
  const removed = elementsIn(value).map(({ value: one }) => one);
  return removed.length === 0 ? [] : emails.filter(({ value: one }) => !removed.includes(one));
}

/** Changes the elements that the path selects; adding to one that does not exist creates it, as Entra ID expects. */
function changedElements(emails: Element[], { op, target: { filter, sub }, value }: Change): Element[] {
  const isSelected = (email: Element): boolean => filter === undefined || matchesElement(email, filter);
  if (op === 'remove' && sub === undefined) return emails.filter((email) => !isSelected(email));
  const part = sub === undefined ? undefined : canonical(EMAIL_PARTS, sub);
  if (sub !== undefined && part === undefined) return emails;
  if (op === 'remove')
    return emails.map((email) => (isSelected(email) ? without(email, part) : email)).filter(hasValue);
  const given = part === undefined ? (elementsIn(value)[0] ?? {}) : { [part]: value };
  if (emails.some(isSelected)) return emails.map((email) => (isSelected(email) ? { ...email, ...given } : email));
  if (op === 'replace') throw invalid('noTarget', 'No element of emails is selected by the path.');
  return withElement(emails, { ...(filter && requiredBy(filter)), ...given });
}

const hasValue = ({ value }: Element): boolean => value !== undefined;
const without = (email: Element, part = ''): Element =>
  Object.fromEntries(Object.entries(email).filter(([name]) => name !== part));

/** Adds an element, or completes the one with the same value; a new primary one replaces the former. */
function withElement(emails: Element[], added: Element): Element[] {
  const fold = ({ value }: Element): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
  const others = emails.map((email) =>
    added.primary === true && email.primary === true ? { ...email, primary: false } : email,
  );
  const at = others.findIndex((email) => fold(email) === fold(added));
  return at === -1 ? [...others, added] : others.with(at, { ...others[at], ...added });
}
