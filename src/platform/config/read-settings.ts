import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { StartError } from '../../common/start-error.js';
import { replaceFormerSettings } from './former-settings.js';
import { misspeltNames } from './misspelt.js';
import { Settings } from './settings.js';

const PLACEHOLDERS = /^(changeme|change-me|secret|password|placeholder|example|todo|x+)/i;

/** Secrets that could be confused with one another. */
const SECRETS = ['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'PEPPER', 'METRICS_TOKEN', 'FILES_S3_SECRET_ACCESS_KEY'] as const;
const MIN_COST = 10;

/** The configuration cannot be used; the message lists every problem at once. */
export class SettingsError extends StartError {
  constructor(problems: string[]) {
    const list = problems.length === 1 ? ` ${problems[0]}.` : `\n- ${problems.join('\n- ')}`;
    super(`The configuration is invalid:${list}`);
  }
}

/** The settings that a process requires: the service signs tokens, a command may need fewer secrets. */
interface Requirements {
  /** Whether the process serves requests and sends mails. */
  serves?: boolean;
  /** The secrets that must be set if DATABASE_URL is set. */
  secrets?: ('JWT_SECRET' | 'PEPPER')[];
}

/** Reads and checks the settings; throws one {@link SettingsError} that lists every problem. */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  { serves = false, secrets = ['JWT_SECRET', 'PEPPER'] }: Requirements = {},
): Settings {
  const names = settingNames();
  const values = Object.fromEntries(
    names.filter((name) => isSet(name, environment[name])).map((name) => [name, environment[name]]),
  );
  const former = replaceFormerSettings(values);
  const settings = plainToInstance(Settings, values, { exposeDefaultValues: true });
  // A value that is not an integer is not also reported as out of range.
  const problems = validateSync(settings).flatMap(({ constraints: { isInt, ...others } = {} }) =>
    isInt === undefined ? Object.values(others) : [isInt],
  );
  problems.push(...former, ...misspeltNames(environment, names), ...secretProblems(settings, secrets));
  problems.push(...storeProblems(settings), ...standbyProblems(settings));
  if (serves) problems.push(...mailProblems(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** The settings that differ from the default, for the log; secrets appear only as set. */
export function changedSettings(settings: Settings): Record<string, unknown> {
  const defaults: Partial<Settings> = new Settings();
  const changed = settingNames()
    .map((name) => [name, settings[name]] as const)
    .filter(([name, value]) => value !== undefined && String(value) !== String(defaults[name]));
  return Object.fromEntries(changed.map(([name, value]) => [name, withoutSecret(name, value)]));
}

/** The names of the settings whose values differ. */
export const changedNames = (before: Settings, after: Settings): (keyof Settings)[] =>
  settingNames().filter((name) => String(before[name]) !== String(after[name]));

/** The value for the log; secrets appear only as set. */
export function withoutSecret(name: string, value: unknown): unknown {
  if (/SECRET|PEPPER|PASSWORD|_TOKEN$|_HEADERS$/.test(name)) return '(set)';
  if (!/_(?:URL|ENDPOINT|SINK)$/.test(name) || typeof value !== 'string') return value;
  return URL.canParse(value) ? new URL(value).host : '(set)';
}

function settingNames(): (keyof Settings)[] {
  const checks = getMetadataStorage().getTargetValidationMetadatas(Settings, '', false, false);
  return [...new Set(checks.map(({ propertyName }) => propertyName as keyof Settings))];
}

/** Whether the variable is set; login programs set MAIL to the path of the user's mailbox, which is ignored. */
const isSet = (name: string, value: string | undefined): boolean =>
  Boolean(value) && !(name === 'MAIL' && value?.startsWith('/') === true);

function secretProblems(settings: Settings, needed: ('JWT_SECRET' | 'PEPPER')[]): string[] {
  const problems: string[] = [];
  for (const name of ['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'PEPPER'] as const) {
    const value = settings[name];
    if (value !== undefined && (PLACEHOLDERS.test(value) || new Set(value).size < 8)) {
      problems.push(`${name} looks like a placeholder; use at least 32 random bytes`);
    }
  }
  for (const [at, name] of SECRETS.entries()) {
    const same = SECRETS.slice(at + 1).find(
      (other) => settings[name] !== undefined && settings[name] === settings[other],
    );
    if (same !== undefined) problems.push(`${name} and ${same} are the same; a secret must have one purpose`);
  }
  if (settings.NODE_ENV === 'production' && settings.BCRYPT_COST < MIN_COST) {
    problems.push(`BCRYPT_COST must be at least ${MIN_COST} in production, where passwords must be slow to guess`);
  }
  if ((settings.ADMIN_EMAIL === undefined) !== (settings.ADMIN_PASSWORD === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together; one of them is missing');
  }
  if (settings.DATABASE_URL === undefined) return problems;
  for (const name of needed) {
    if (settings[name] !== undefined) continue;
    problems.push(
      `${name} must be set when DATABASE_URL is set, to the same value on all replicas; generate one with ` +
        'openssl rand -hex 32',
    );
  }
  return problems;
}

const STORE_SETTINGS = [
  'FILES_S3_ENDPOINT',
  'FILES_S3_BUCKET',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
] as const;

/** A store of files needs all of its settings; with only some of them, uploads would silently be off. */
function storeProblems(settings: Settings): string[] {
  const missing = STORE_SETTINGS.filter((name) => settings[name] === undefined);
  const isNamed = missing.length < STORE_SETTINGS.length || settings.FILES_S3_PUBLIC_ENDPOINT !== undefined;
  if (!isNamed || missing.length === 0) return [];
  return [`${missing.join(', ')} must be set, too, for a store of files`];
}

/** A standby has the roles and the databases of its primary; another role would not have the rights of the service. */
function standbyProblems({ DATABASE_URL, DATABASE_READ_URL }: Settings): string[] {
  if (DATABASE_READ_URL === undefined || !URL.canParse(DATABASE_READ_URL)) return [];
  if (DATABASE_URL === undefined) return ['DATABASE_READ_URL is a standby of DATABASE_URL, which must be set, too'];
  if (DATABASE_READ_URL === DATABASE_URL) {
    return ['DATABASE_READ_URL is the same as DATABASE_URL; set it to a standby, or not at all'];
  }
  if (!URL.canParse(DATABASE_URL)) return [];
  const [read, primary] = [new URL(DATABASE_READ_URL), new URL(DATABASE_URL)];
  return read.username === primary.username && read.pathname === primary.pathname
    ? []
    : ['DATABASE_READ_URL must have the user and the database of DATABASE_URL'];
}

/** Mail in files, and codes in the log, are the default only for trials; otherwise they must be configured. */
function mailProblems({ DATABASE_URL, MAIL, NODE_ENV, SMTP_URL }: Settings): string[] {
  const isTrial = DATABASE_URL === undefined && NODE_ENV !== 'production';
  if (isTrial || SMTP_URL !== undefined || MAIL !== undefined) return [];
  return ['SMTP_URL must be set; to write mail to files instead, set MAIL=files'];
}
