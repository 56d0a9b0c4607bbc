import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';
import { AreNetworks } from './networks.js';

const PLACEHOLDERS = /^(changeme|change-me|secret|password|placeholder|example|todo|x+)/i;

/** Numbers and switches come as text from the environment; anything unreadable is left for the validator to name. */
const Numeric = () =>
  Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value));
const Switch = () =>
  Transform(({ value }) =>
    /^(true|1|on|yes)$/i.test(value) ? true : /^(false|0|off|no)$/i.test(value) ? false : value,
  );
const List = () =>
  Transform(({ value }) => (typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value));

/** Everything that can be set from outside, by its environment variable. README and .env.example explain each. */
export class Settings {
  @IsIn(['production', 'development', 'test'])
  NODE_ENV: string = 'development';

  @Numeric()
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT: number = 3000;

  @IsString()
  HOST: string = '0.0.0.0';

  /** External PostgreSQL; without it the embedded one is started in DATA_DIR. */
  @IsOptional()
  @IsUrl({ protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, allow_underscores: true })
  DATABASE_URL?: string;

  @Numeric()
  @IsInt()
  @Min(2)
  @Max(100)
  DATABASE_POOL: number = 10;

  @IsString()
  DATA_DIR: string = '.data';

  /** Where people reach the service, as written into mails; made from HOST and PORT when absent. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true })
  PUBLIC_URL?: string;

  @IsOptional()
  @MinLength(32, { message: 'JWT_SECRET needs at least 32 characters' })
  JWT_SECRET?: string;

  /** The signing key before the last rotation: still verifies, no longer signs. */
  @IsOptional()
  @MinLength(32, { message: 'JWT_SECRET_PREVIOUS needs at least 32 characters' })
  JWT_SECRET_PREVIOUS?: string;

  /** Keys password and code hashes and cursors; changing it voids all passwords. */
  @IsOptional()
  @MinLength(32, { message: 'PEPPER needs at least 32 characters' })
  PEPPER?: string;

  @Numeric()
  @IsInt()
  @Min(1)
  @Max(24 * 30)
  SESSION_HOURS: number = 8;

  @Numeric()
  @IsInt()
  @Min(4)
  @Max(15)
  BCRYPT_COST: number = 12;

  @IsOptional()
  @IsEmail({ require_tld: false })
  ADMIN_EMAIL?: string;

  @IsOptional()
  @Length(12, 128)
  ADMIN_PASSWORD?: string;

  @Numeric()
  @IsIn([1, 2, 3])
  DEFAULT_TIER: number = 3;

  @Switch()
  @IsBoolean()
  SELF_REGISTRATION: boolean = true;

  @IsOptional()
  @Matches(/^smtps?:\/\//, { message: 'SMTP_URL must start with smtp:// or smtps://' })
  SMTP_URL?: string;

  @IsString()
  MAIL_FROM: string = 'Worksmith <worksmith@localhost>';

  /** Browser origins that may call the service, comma-separated; none by default. */
  @List()
  @IsString({ each: true })
  CORS_ORIGINS: string[] = [];

  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  @List()
  @AreNetworks()
  TRUSTED_PROXIES: string[] = [];

  @IsIn(['refuse', 'ignore'])
  UNKNOWN_FIELDS: string = 'refuse';

  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL: string = 'info';

  /** How long readiness stays off before the service stops listening, so that proxies notice. */
  @Numeric()
  @IsInt()
  @Min(0)
  @Max(60_000)
  DRAIN_MS: number = 0;

  /** Whether this process sends mail and does recurring work; some replica must. */
  @Switch()
  @IsBoolean()
  WORKERS: boolean = true;

  /** A ritual's run that nobody has ended after so many hours has failed. */
  @Numeric()
  @IsInt()
  @Min(1)
  @Max(24 * 365)
  RITUAL_RUN_HOURS: number = 24;

  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_LOGIN_PER_MINUTE: number = 10;

  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_REGISTER_PER_HOUR: number = 5;

  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_CODES_PER_HOUR: number = 20;

  /** How many codes are mailed to one address on request. */
  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_MAILS_PER_HOUR: number = 3;

  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_READS_PER_MINUTE: number = 6000;

  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_WRITES_PER_MINUTE: number = 1200;

  /** How many requests of one session, or address, this process has in work at once; others of it wait. */
  @Numeric()
  @IsInt()
  @Min(1)
  LIMIT_REQUESTS_AT_ONCE: number = 4;
}

/** The configuration cannot be used; the message lists every problem at once. */
export class SettingsError extends Error {}

/** Reads and checks the settings; throws one {@link SettingsError} that names all that is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const known = Object.keys(new Settings()).concat(Object.keys(OPTIONAL));
  const given = Object.fromEntries(known.filter((key) => environment[key]).map((key) => [key, environment[key]]));
  const settings = plainToInstance(Settings, given, { exposeDefaultValues: true });
  const problems = validateSync(settings).flatMap((error) => Object.values(error.constraints ?? {}));
  problems.push(...secretProblems(settings));
  if (problems.length > 0) throw new SettingsError(`The configuration cannot be used:\n- ${problems.join('\n- ')}`);
  return settings;
}

/** Settings without a default value do not show up as properties of a fresh instance. */
const OPTIONAL: Partial<Record<keyof Settings, true>> = {
  DATABASE_URL: true,
  PUBLIC_URL: true,
  JWT_SECRET: true,
  JWT_SECRET_PREVIOUS: true,
  PEPPER: true,
  ADMIN_EMAIL: true,
  ADMIN_PASSWORD: true,
  SMTP_URL: true,
};

function secretProblems(settings: Settings): string[] {
  const problems: string[] = [];
  for (const name of ['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'PEPPER'] as const) {
    const value = settings[name];
    if (value !== undefined && (PLACEHOLDERS.test(value) || new Set(value).size < 8)) {
      problems.push(`${name} looks like a placeholder; use 32 random bytes or more`);
    }
  }
  if ((settings.ADMIN_EMAIL === undefined) !== (settings.ADMIN_PASSWORD === undefined)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD go together; one of them is missing');
  }
  if (settings.DATABASE_URL === undefined) return problems;
  for (const name of ['JWT_SECRET', 'PEPPER'] as const) {
    if (settings[name] === undefined) problems.push(`${name} must be set where DATABASE_URL is: replicas share it`);
  }
  return problems;
}
