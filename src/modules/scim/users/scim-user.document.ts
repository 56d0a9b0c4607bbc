import { normalizeEmail } from '../../../common/network/email.js';
import { beginningOf, isCleanText, isLongerThan, isVisibleLine } from '../../../common/texts/text.js';
import {
  documentIn,
  propertyIn,
  recordIn,
  USER_SCHEMA,
  WORK_SCHEMA,
  type ScimDocument,
} from '../protocol/scim-documents.js';
import { invalid } from '../protocol/scim-error.js';
import type { ScimEmail, ScimName, ScimUser } from './scim-user.entity.js';

/** What a directory says about a person. */
export interface UserRecord {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  name: ScimName;
  emails: ScimEmail[];
  active: boolean;
}

const MAX_TEXT = 500;
const MAX_EMAILS = 20;

/** Whether a text or a boolean means true; Entra ID sends `"True"`. */
export function booleanIn(attribute: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalid('invalidValue', `${attribute} must be true or false.`);
}

function textIn(attribute: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw invalid('invalidValue', `${attribute} must be a text.`);
  const text = value.trim();
  if (isLongerThan(text, MAX_TEXT))
    throw invalid('invalidValue', `${attribute} can have at most ${MAX_TEXT} characters.`);
  if (!isCleanText(text) || !isVisibleLine(text))
    throw invalid('invalidValue', `${attribute} must be one line with visible characters.`);
  return text;
}

function nameIn(value: unknown): ScimName {
  if (value === undefined || value === null) return {};
  const name = recordIn(value);
  if (name === undefined) throw invalid('invalidValue', 'name must be an object.');
  const parts = ['formatted', 'givenName', 'familyName'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const text = textIn(`name.${part}`, propertyIn(name, part));
      return text === null ? [] : [[part, text]];
    }),
  );
}

function emailsIn(value: unknown): ScimEmail[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_EMAILS) throw invalid('invalidValue', `emails can have at most ${MAX_EMAILS} elements.`);
  return list.map(emailIn);
}

function emailIn(sent: unknown): ScimEmail {
  const element = recordIn(sent);
  if (element === undefined) throw invalid('invalidValue', 'emails must be a list of objects.');
  const value = textIn('emails.value', propertyIn(element, 'value'));
  if (value === null || normalizeEmail(value) === undefined)
    throw invalid('invalidValue', 'emails.value must be an e-mail address.');
  const type = textIn('emails.type', propertyIn(element, 'type'));
  const primary = propertyIn(element, 'primary');
  return {
    value,
    ...(type !== null && { type }),
    ...(primary !== undefined && primary !== null && { primary: booleanIn('emails.primary', primary) }),
  };
}

/** Reads a whole person; 400 `invalidValue`. */
export function userRecordIn(body: unknown): UserRecord {
  const document = documentIn(body);
  if (propertyIn(document, 'password') !== undefined)
    throw invalid('invalidValue', 'Passwords are not accepted: people sign in with the provider of the organization.');
  const userName = textIn('userName', propertyIn(document, 'userName'));
  if (userName === null) throw invalid('invalidValue', 'userName is required.');
  const active = propertyIn(document, 'active');
  return {
    userName,
    externalId: textIn('externalId', propertyIn(document, 'externalId')),
    displayName: textIn('displayName', propertyIn(document, 'displayName')),
    name: nameIn(propertyIn(document, 'name')),
    emails: withOnePrimary(emailsIn(propertyIn(document, 'emails'))),
    active: active === undefined || active === null ? true : booleanIn('active', active),
  };
}

/** Only the last element that says so is the primary one. */
function withOnePrimary(emails: ScimEmail[]): ScimEmail[] {
  const last = emails.findLastIndex(({ primary }) => primary === true);
  return emails.map((email, index) =>
    email.primary === true && index !== last ? { ...email, primary: false } : email,
  );
}

/** The record as a document, which changes are applied to. */
export const documentOfRecord = ({
  userName,
  externalId,
  displayName,
  name,
  emails,
  active,
}: UserRecord): ScimDocument => ({
  userName,
  ...(externalId !== null && { externalId }),
  ...(displayName !== null && { displayName }),
  ...(Object.keys(name).length > 0 && { name: { ...name } }),
  ...(emails.length > 0 && { emails: emails.map((email) => ({ ...email })) }),
  active,
});

/** The address of the account, in canonical form; undefined if the record has none. */
export function addressOf({ userName, emails }: Pick<UserRecord, 'userName' | 'emails'>): string | undefined {
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0];
  return normalizeEmail(chosen?.value ?? userName);
}

/** The name of the account. */
export function accountNameOf({
  userName,
  displayName,
  name,
}: Pick<UserRecord, 'userName' | 'displayName' | 'name'>): string {
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  const whole = displayName ?? name.formatted ?? (parts === '' ? userName : parts);
  // Only a given and a family name together can be too long.
  return isLongerThan(whole, MAX_TEXT) ? beginningOf(whole, MAX_TEXT - 1) : whole;
}

/** A row as the record that it stores. */
export const storedRecord = (row: ScimUser): UserRecord => ({
  userName: row.userName ?? '',
  externalId: row.externalId,
  displayName: row.displayName,
  name: row.name,
  emails: row.emails,
  active: row.active,
});

/** Open work that stays with a dismissed person. */
export interface OpenWorkReference {
  value: string;
  type: string;
}

/** A person as SCIM shows it, `at` the address of the people of the organization. */
export function userDocument(row: ScimUser, at: string, openWork: readonly OpenWorkReference[] = []): ScimDocument {
  const isWorkShown = openWork.length > 0;
  return {
    schemas: [USER_SCHEMA, ...(isWorkShown ? [WORK_SCHEMA] : [])],
    id: row.userId,
    ...documentOfRecord(storedRecord(row)),
    ...(isWorkShown && { [WORK_SCHEMA]: { openWork } }),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${at}/${row.userId}`,
      version: versionOf(row),
    },
  };
}

/** The entity tag of a record. */
export const versionOf = ({ revision, active }: Pick<ScimUser, 'revision' | 'active'>): string =>
  // A membership can also end by hand.
  `W/"${revision}${active ? '' : '-inactive'}"`;
