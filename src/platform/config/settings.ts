import { IsEmail, IsIn, IsOptional, IsString, IsUrl, Length, Matches, Max, Min, MinLength } from 'class-validator';
import { AreNetworks } from './networks.js';
import { AreWorkers, IntegerBetween, IntegerFrom, List, Numeric, Switch } from './environment-values.js';
import { IsSink } from './sinks.js';
import { REGISTRATION_WAYS, type RegistrationWay } from '../../common/programs.js';
import { SECOND_FACTOR_POLICIES, type SecondFactorPolicy } from '../../common/proofs.js';
import { AreNameServers, AreOrigins, ArePairs, AreRedirectUris, IsHost, IsSender, IsStoreEndpoint } from './formats.js';

/** The settings, by environment variable. README and .env.example explain each. */
export class Settings {
  @IsIn(['production', 'development', 'test'])
  NODE_ENV: string = 'development';

  @IntegerBetween(0, 65535)
  PORT: number = 3000;

  @IsHost()
  HOST: string = '0.0.0.0';

  /** External PostgreSQL; without it the embedded one is started in DATA_DIR. */
  @IsOptional()
  @IsUrl(
    { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, allow_underscores: true },
    {
      message:
        'DATABASE_URL must have the form postgres://user:password@host:5432/database; percent-encode special ' +
        'characters in the password (@ becomes %40)',
    },
  )
  DATABASE_URL?: string;

  /** The role that owns the tables, only for `npm run migrate`; the service's role then has fewer rights. */
  @IsOptional()
  @IsUrl(
    { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, allow_underscores: true },
    { message: 'DATABASE_OWNER_URL must look like postgres://user:password@host:5432/database' },
  )
  DATABASE_OWNER_URL?: string;

  /** The server itself if DATABASE_URL is a pooler, for what needs a connection of its own: `npm run migrate`. */
  @IsOptional()
  @IsUrl(
    { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, allow_underscores: true },
    { message: 'DATABASE_DIRECT_URL must look like postgres://user:password@host:5432/database' },
  )
  DATABASE_DIRECT_URL?: string;

  /** A streaming standby of the primary, which answers reports, searches and exports; none by default. */
  @IsOptional()
  @IsUrl(
    { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, allow_underscores: true },
    { message: 'DATABASE_READ_URL must look like postgres://user:password@host:5432/database' },
  )
  DATABASE_READ_URL?: string;

  /** How long a read waits until the standby has what was committed, after which the primary answers it. */
  @IntegerBetween(1, 60_000)
  READ_LAG_MS: number = 500;

  @IntegerBetween(2, 100)
  DATABASE_POOL: number = 10;

  /** The time limit for waiting for a free connection, after which a request is answered with 503. */
  @IntegerFrom(100)
  DATABASE_CHECKOUT_MS: number = 1_500;

  /** The time for which a start retries to connect to an unreachable database. */
  @IntegerFrom(0)
  DATABASE_WAIT_SECONDS: number = 60;

  /** The time limit for the database in the readiness check, after which it is answered with 503. */
  @IntegerFrom(10)
  HEALTH_TIMEOUT_MS: number = 2_000;

  /** The time limit for rendering a template. */
  @IntegerFrom(100)
  TEMPLATE_TIMEOUT_MS: number = 2_000;

  /** The time limit for each statement of a search; its client has given up by then, and others need the database. */
  @IntegerFrom(100)
  SEARCH_TIMEOUT_MS: number = 1_500;

  /** The time limit for comparing the texts of two versions, after which they are reported as too large. */
  @IntegerFrom(100)
  DIFF_TIMEOUT_MS: number = 1_000;

  /** The time limit for the transaction of a batch, after which the batch is rolled back and answered with 503. */
  @IntegerFrom(1)
  BATCH_SECONDS: number = 5;

  @IsString()
  DATA_DIR: string = '.data';

  /** The public address of the service, used in mails; derived from HOST and PORT by default. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true })
  PUBLIC_URL?: string;

  /** The domain for which passkeys are made; by default the host of PUBLIC_URL. */
  @IsOptional()
  @IsString()
  WEBAUTHN_RP_ID?: string;

  /** Further origins whose pages may use passkeys, within that domain; comma-separated. */
  @List()
  @AreOrigins()
  WEBAUTHN_ORIGINS: string[] = [];

  /** Addresses to which identity providers may send people back, comma-separated, besides the page of the service. */
  @List()
  @AreRedirectUris()
  OIDC_REDIRECT_URIS: string[] = [];

  /** The name servers that are asked for the records of domains; those of the machine by default. */
  @List()
  @AreNameServers()
  DNS_SERVERS: string[] = [];

  /** Addresses and networks of identity providers, and of the documents of programs, that may be reached although they are not public. */
  @List()
  @AreNetworks()
  IDENTITY_ALLOW: string[] = [];

  /** How programs of others become known, besides those that administrators register; comma-separated. */
  @List()
  @IsIn(REGISTRATION_WAYS, {
    each: true,
    message: `OAUTH_REGISTRATION must be a comma-separated list of ${REGISTRATION_WAYS.join(', ')}`,
  })
  OAUTH_REGISTRATION: RegistrationWay[] = ['metadata', 'token'];

  @IsOptional()
  @MinLength(32, { message: 'JWT_SECRET must have at least 32 characters' })
  JWT_SECRET?: string;

  /** The signing key before the last rotation, which is only used to verify tokens. */
  @IsOptional()
  @MinLength(32, { message: 'JWT_SECRET_PREVIOUS must have at least 32 characters' })
  JWT_SECRET_PREVIOUS?: string;

  /** Keys password and code hashes and cursors; changing it voids all passwords. */
  @IsOptional()
  @MinLength(32, { message: 'PEPPER must have at least 32 characters' })
  PEPPER?: string;

  /** Of whom the installation requires a second factor; organizations can require one towards themselves. */
  @IsIn(SECOND_FACTOR_POLICIES)
  SECOND_FACTOR: SecondFactorPolicy = 'optional';

  @IntegerBetween(1, 24 * 30)
  SESSION_HOURS: number = 8;

  /** The longest validity of an access token, in days. */
  @IntegerBetween(1, 3650)
  TOKEN_DAYS: number = 365;

  @IntegerBetween(4, 15)
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
  SELF_REGISTRATION: boolean = true;

  @IsOptional()
  @Matches(/^smtps?:\/\/[^/]/, { message: 'SMTP_URL must have the form smtps://user:password@mail.example.org' })
  SMTP_URL?: string;

  /** `files` confirms that mails are written to files although a mail server is expected. */
  @IsOptional()
  @IsIn(['files'])
  MAIL?: string;

  @IsSender()
  MAIL_FROM: string = 'Worksmith <worksmith@localhost>';

  /** Browser origins that may call the service, comma-separated; none by default. */
  @List()
  @AreOrigins()
  CORS_ORIGINS: string[] = [];

  /** Whether long responses are compressed if the client accepts it; off if a proxy compresses them. */
  @Switch()
  COMPRESSION: boolean = true;

  /** Serves GET /metrics on a port of its own. */
  @IsOptional()
  @IntegerBetween(1, 65535)
  METRICS_PORT?: number;

  /** The bearer token that GET /metrics requires; with it, the metrics are also served on PORT. */
  @IsOptional()
  @MinLength(16, { message: 'METRICS_TOKEN must have at least 16 characters' })
  METRICS_TOKEN?: string;

  /** The base URL of an OpenTelemetry collector, to which traces are sent as JSON over HTTP; off by default. */
  @IsOptional()
  @IsUrl(
    { protocols: ['http', 'https'], require_tld: false, require_protocol: true },
    { message: 'OTEL_EXPORTER_OTLP_ENDPOINT must have the form http://collector.example.org:4318' },
  )
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Headers for the collector, such as a key: name=value, separated by commas. */
  @ArePairs()
  OTEL_EXPORTER_OTLP_HEADERS: string = '';

  @IsIn(['http/json'], {
    message: 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, the only protocol in which traces are sent',
  })
  OTEL_EXPORTER_OTLP_PROTOCOL: string = 'http/json';

  @Length(1, 200)
  OTEL_SERVICE_NAME: string = 'worksmith';

  /** The share of traces that are sent, if the client does not decide it. */
  @Numeric()
  @Min(0)
  @Max(1)
  OTEL_TRACES_SAMPLER_ARG: number = 0.1;

  /** Where sealed entries of the audit are sent: lines of JSON by HTTPS, or syslog over TLS. */
  @IsOptional()
  @IsSink()
  AUDIT_SINK?: string;

  /** Headers for AUDIT_SINK, such as a key: name=value, separated by commas. */
  @ArePairs()
  AUDIT_SINK_HEADERS: string = '';

  /** The S3-compatible store of uploaded files, as the service reaches it; without it, artifacts are links. */
  @IsOptional()
  @IsStoreEndpoint()
  FILES_S3_ENDPOINT?: string;

  /** The address of the same store for clients, in the URLs that they are given; FILES_S3_ENDPOINT by default. */
  @IsOptional()
  @IsStoreEndpoint()
  FILES_S3_PUBLIC_ENDPOINT?: string;

  @Matches(/^[a-z0-9-]{1,64}$/, { message: 'FILES_S3_REGION must be the name of a region, such as eu-central-1' })
  FILES_S3_REGION: string = 'us-east-1';

  /** The bucket of this installation; nothing else may be in it. */
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: 'FILES_S3_BUCKET must be the name of a bucket' })
  FILES_S3_BUCKET?: string;

  @IsOptional()
  @Matches(/^[\w-]{3,128}$/, { message: 'FILES_S3_ACCESS_KEY_ID must be the id of an access key' })
  FILES_S3_ACCESS_KEY_ID?: string;

  @IsOptional()
  @MinLength(8, { message: 'FILES_S3_SECRET_ACCESS_KEY must have at least 8 characters' })
  FILES_S3_SECRET_ACCESS_KEY?: string;

  /** Whether the bucket is in the path of URLs; otherwise it is the first label of the host. */
  @Switch()
  FILES_S3_PATH_STYLE: boolean = true;

  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  @List()
  @AreNetworks()
  TRUSTED_PROXIES: string[] = [];

  /** Addresses or networks of servers that sign people in on behalf of others; limits per client address skip them. */
  @List()
  @AreNetworks()
  LIMIT_EXEMPT_ADDRESSES: string[] = [];

  @IsIn(['refuse', 'ignore'])
  UNKNOWN_FIELDS: string = 'refuse';

  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL: string = 'info';

  /** The commit that this build was made from, for the log; read from .git by default. */
  @IsOptional()
  @Matches(/^[0-9a-f]{7,64}$/, { message: 'COMMIT must be a hexadecimal commit hash' })
  COMMIT?: string;

  /** The delay between turning readiness off and closing the port, so that proxies notice the shutdown. */
  @IntegerBetween(0, 60_000)
  DRAIN_MS: number = 0;

  /** Whether this replica sends mail and runs recurring jobs; at least one must. */
  @Switch()
  BACKGROUND_JOBS: boolean = true;

  /** The number of processes that share the port and serve requests; `auto` is one for each processor. */
  @AreWorkers()
  WORKERS: number | 'auto' = 1;

  /** The number of hours after which an unfinished ritual run fails. */
  @IntegerBetween(1, 24 * 365)
  RITUAL_RUN_HOURS: number = 24;

  /** The number of days before a closed account, or an archived container, is erased. */
  @IntegerBetween(0, 365)
  ERASURE_DAYS: number = 14;

  /** The number of days that the feed of changes keeps. */
  @IntegerBetween(1, 3_650)
  EVENTS_DAYS: number = 90;

  /**
   * The number of days that the audit keeps, rounded to whole months; the database removes nothing younger than 30
   * days.
   */
  @IntegerBetween(30, 3_650)
  AUDIT_DAYS: number = 400;

  /** The interval at which a process with waiting clients checks for new events. */
  @IntegerBetween(10, 5_000)
  EVENTS_POLL_MS: number = 100;

  /** Whether webhooks may use http. */
  @Switch()
  WEBHOOK_HTTP: boolean = false;

  /** Addresses and networks that webhooks may send to although they are not public. */
  @List()
  @AreNetworks()
  WEBHOOK_ALLOW: string[] = [];

  /** The name servers that resolve the hosts of webhooks, identity providers and programs; by default those of the system. */
  @List()
  @AreNameServers()
  WEBHOOK_RESOLVERS: string[] = [];

  /** Archiving, restoring or erasing more entities than this is done in the background and answered with 202. */
  @IntegerFrom(0)
  OPERATION_THRESHOLD: number = 5_000;

  /** The number of entities that an operation processes per transaction. */
  @IntegerBetween(1, 10_000)
  OPERATION_PIECE: number = 500;

  /** The number of failed sign-ins from one client address, and of successful ones of one account. */
  @IntegerFrom(1)
  LIMIT_LOGIN_PER_MINUTE: number = 10;

  @IntegerFrom(1)
  LIMIT_REGISTER_PER_HOUR: number = 5;

  @IntegerFrom(1)
  LIMIT_CODES_PER_HOUR: number = 20;

  /** The number of wrong passwords of one account that are accepted from addresses from which it never signed in. */
  @IntegerFrom(1)
  LIMIT_PASSWORD_FAILURES_PER_HOUR: number = 50;

  /** The number of codes of all kinds that are mailed to one e-mail address for all client addresses. */
  @IntegerFrom(1)
  LIMIT_MAILS_PER_HOUR: number = 6;

  /** The number of codes of one kind that are mailed to one e-mail address for one client address. */
  @IntegerFrom(1)
  LIMIT_MAILS_OF_KIND_PER_HOUR: number = 2;

  /** The number of invitations that are mailed to one e-mail address from all inviters. */
  @IntegerFrom(1)
  LIMIT_INVITATION_MAILS_PER_DAY: number = 10;

  /** The number of people that one user invites. */
  @IntegerFrom(1)
  LIMIT_INVITATIONS_PER_HOUR: number = 30;

  /** The number of people that one user adds by id, who already belong to an organization of theirs. */
  @IntegerFrom(1)
  LIMIT_ADDITIONS_PER_HOUR: number = 2000;

  @IntegerFrom(1)
  LIMIT_READS_PER_MINUTE: number = 6000;

  @IntegerFrom(1)
  LIMIT_WRITES_PER_MINUTE: number = 1200;

  /** The number of requests to the receivers of webhooks on one host, of all replicas. */
  @IntegerBetween(1, 1_000)
  LIMIT_WEBHOOK_REQUESTS_PER_SECOND: number = 20;

  /** The number of requests of one user, or address, that this process handles at once; the others wait. */
  @IntegerFrom(1)
  LIMIT_REQUESTS_AT_ONCE: number = 4;
}
