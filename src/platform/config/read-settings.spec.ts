import { changedSettings, readSettings } from './read-settings.js';

const KEY = 'kZ8-not-for-the-log';
const LONG = `${KEY}-0123456789-abcdefghij`;

describe('the settings in the log of the start', () => {
  it.each([
    ['JWT_SECRET', LONG],
    ['JWT_SECRET_PREVIOUS', LONG],
    ['PEPPER', LONG],
    ['ADMIN_PASSWORD', KEY],
    ['METRICS_TOKEN', KEY],
    ['SMTP_URL', `smtps://user:${KEY}@mail.example.org`],
    ['DATABASE_URL', `postgres://user:${KEY}@db.example.org/work`],
    ['DATABASE_OWNER_URL', `postgres://user:${KEY}@db.example.org/work`],
    ['DATABASE_DIRECT_URL', `postgres://user:${KEY}@db.example.org/work`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', `http://user:${KEY}@collector.example.org:4318`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${KEY}`],
    ['AUDIT_SINK', `https://siem.example.org/${KEY}`],
    ['AUDIT_SINK_HEADERS', `authorization=Bearer%20${KEY}`],
  ])('show that %s is set, but not its secret', (name, value) => {
    const beside = name === 'ADMIN_PASSWORD' ? { ADMIN_EMAIL: 'admin@example.org' } : {};
    const shown = changedSettings(readSettings({ ...beside, [name]: value }, { secrets: [] }));
    expect(Object.keys(shown)).toContain(name);
    expect(JSON.stringify(shown)).not.toContain(KEY);
  });

  it('show what is no secret', () => {
    const shown = changedSettings(readSettings({ TOKEN_DAYS: '30', PUBLIC_URL: 'https://work.example.org' }));
    expect(shown).toEqual({ TOKEN_DAYS: 30, PUBLIC_URL: 'work.example.org' });
  });
});

describe('the standby for reads', () => {
  const DATABASE_URL = 'postgres://user:password@primary:5432/work';

  it('has the user and the database of the primary, and its password stays out of the log', () => {
    const DATABASE_READ_URL = `postgres://user:${KEY}@standby:5432/work`;
    const shown = changedSettings(readSettings({ DATABASE_URL, DATABASE_READ_URL }, { secrets: [] }));
    expect(shown).toEqual({ DATABASE_URL: 'primary:5432', DATABASE_READ_URL: 'standby:5432' });
  });

  it.each([
    [{ DATABASE_READ_URL: DATABASE_URL }, 'DATABASE_READ_URL is a standby of DATABASE_URL, which must be set, too.'],
    [{ DATABASE_URL, DATABASE_READ_URL: DATABASE_URL }, 'set it to a standby, or not at all.'],
    [{ DATABASE_URL, DATABASE_READ_URL: 'postgres://reader:password@standby:5432/work' }, 'the user and the database'],
    [{ DATABASE_URL, DATABASE_READ_URL: 'postgres://user:password@standby:5432/other' }, 'the user and the database'],
    [{ DATABASE_URL, DATABASE_READ_URL: 'standby' }, 'DATABASE_READ_URL must look like postgres://user:password@host'],
    [{ READ_LAG_MS: '0' }, 'READ_LAG_MS'],
    [{ READ_LAG_MS: 'soon' }, 'READ_LAG_MS'],
  ])('%j is refused with what to write instead', (environment, text) => {
    expect(() => readSettings(environment, { secrets: [] })).toThrow(text);
  });
});

describe('the settings of traces', () => {
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'http://collector.example.org:4318'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'Bearer key' }, 'authorization=Bearer%20key'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zz' }, 'authorization=Bearer%20key'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http/json'],
    [{ OTEL_TRACES_SAMPLER_ARG: '10' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ OTEL_TRACES_SAMPLER_ARG: 'all' }, 'OTEL_TRACES_SAMPLER_ARG'],
  ])('%j are refused with what to write instead', (environment, text) => {
    expect(() => readSettings(environment)).toThrow(text);
  });
});

describe('the receiver of the audit', () => {
  it.each([
    'https://siem.example.org/worksmith?source=a',
    'syslog+tls://siem.example.org',
    'syslog+tls://10.0.0.5:6514/',
    'syslog+tls://[2001:db8::5]:6514',
    'http://localhost:8088/lines',
    'http://127.0.0.1:8088',
    'syslog+tcp://[::1]:514',
  ])('can be %s', (AUDIT_SINK) => {
    expect(readSettings({ AUDIT_SINK }).AUDIT_SINK).toBe(AUDIT_SINK);
  });

  it.each([
    'siem.example.org',
    'http://siem.example.org/worksmith',
    'http://127.0.0.1.example.org',
    'syslog+tcp://10.0.0.5:514',
    'syslog://siem.example.org',
    'https://user:key@siem.example.org',
    'syslog+tls://siem.example.org/path',
    'syslog+tls://siem.example.org?x=1',
    'file:///var/log/audit',
  ])('cannot be %s, which is refused with what to write instead', (AUDIT_SINK) => {
    expect(() => readSettings({ AUDIT_SINK })).toThrow('AUDIT_SINK must have the form https://');
  });
});

describe('WORKERS', () => {
  it.each([
    [{}, 1, true],
    [{ WORKERS: '4' }, 4, true],
    [{ WORKERS: 'auto', BACKGROUND_JOBS: 'off' }, 'auto', false],
    // The meaning that it had before it became a number.
    [{ WORKERS: 'true' }, 1, true],
    [{ WORKERS: 'off' }, 1, false],
    [{ WORKERS: '0' }, 1, false],
    [{ WORKERS: '1' }, 1, true],
    [{ WORKERS: 'false', BACKGROUND_JOBS: 'no' }, 1, false],
    [{ WORKERS: 'yes', BACKGROUND_JOBS: '1' }, 1, true],
  ])('%j', (environment, workers, jobs) => {
    const { WORKERS, BACKGROUND_JOBS } = readSettings(environment);
    expect([WORKERS, BACKGROUND_JOBS]).toEqual([workers, jobs]);
  });

  it.each([
    [{ WORKERS: 'many' }, 'WORKERS must be a number of processes from 1 to 64, or auto'],
    [{ WORKERS: '1.5' }, 'WORKERS must be a number of processes'],
    [{ WORKERS: '65' }, 'WORKERS must be a number of processes'],
    [{ WORKERS: 'false', BACKGROUND_JOBS: 'true' }, 'WORKERS=false means BACKGROUND_JOBS=false, which is true'],
  ])('%j is refused', (environment, text) => {
    expect(() => readSettings(environment)).toThrow(text);
  });
});

describe('secrets', () => {
  it.each([
    ['JWT_SECRET', 'PEPPER'],
    ['JWT_SECRET', 'JWT_SECRET_PREVIOUS'],
    ['PEPPER', 'METRICS_TOKEN'],
  ])('%s and %s that are the same are refused', (one, other) => {
    expect(() => readSettings({ [one]: LONG, [other]: LONG })).toThrow(`${one} and ${other} are the same`);
    expect(() => readSettings({ [one]: LONG, [other]: `${LONG}-2` })).not.toThrow();
  });

  it('of people must be slow to guess in production', () => {
    const production = { NODE_ENV: 'production' };
    expect(() => readSettings({ ...production, BCRYPT_COST: '9' })).toThrow('BCRYPT_COST must be at least 10');
    expect(readSettings({ ...production, BCRYPT_COST: '10' }).BCRYPT_COST).toBe(10);
    expect(readSettings({ BCRYPT_COST: '4' }).BCRYPT_COST).toBe(4);
  });
});

describe('the ways in which programs become known', () => {
  it('are those that are named, by default documents and registration tokens', () => {
    expect(readSettings({}).OAUTH_REGISTRATION).toEqual(['metadata', 'token']);
    expect(readSettings({ OAUTH_REGISTRATION: 'open, metadata' }).OAUTH_REGISTRATION).toEqual(['open', 'metadata']);
  });

  it.each(['anybody', 'metadata,all', 'metadata,', 'METADATA'])('cannot be %s', (value) => {
    expect(() => readSettings({ OAUTH_REGISTRATION: value })).toThrow(
      'a comma-separated list of metadata, open, token',
    );
  });
});
