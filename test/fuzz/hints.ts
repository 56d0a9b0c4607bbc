import fc from 'fast-check';
import { PASSWORD } from '../support/sign-up.js';
import { mostly, placeholderOf } from './choices.js';

const CONDITION_PARAMS = [
  {},
  { min_reviewers: 1 },
  { min_comments: 2 },
  { role: 'product_owner' },
  { field: 'description' },
  { field: 'metadata.checked' },
  { prompt: 'Done?' },
  { artifact_tag: 'test-report' },
  { min_duration: '1h', status: 'active' },
  { name: 'security-scan' },
];

const SCHEDULES = [
  { type: 'manual' },
  { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  { type: 'cron', expression: '*/5 * 29 2 *' },
  { type: 'cron', expression: '0 0 31 2 *' },
  { type: 'cron', expression: '* * * * * *' },
  { type: 'interval', every: '2w', start: '2026-11-23T09:00:00Z' },
  { type: 'interval', every: '1m' },
  { type: 'interval', every: '999999999d' },
  { type: 'interval', every: '1h', start: '9999-12-31T23:59:59Z' },
];

const TEMPLATES = [
  '# {{ task.title }}\n\nDue {{ task.due_date | date: "%Y-%m-%d", timezone }}, {{ task.status }}.',
  '{% for task in tasks %}{{ task.title | upcase | truncate: 5 }}{% endfor %}',
  '{{ demand.title }}{{ endeavour.name }}{{ organization.name }}{{ ritual.prompt }}',
  '{% for a in (1..1000000) %}{% for b in (1..1000000) %}x{% endfor %}{% endfor %}',
  '{% assign a = "x" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
  '{{ constructor.constructor("return process")() }}{{ task.__proto__ }}{{ "a" | where: "__proto__" }}',
  '{% if task.title contains "x" %}{% else %}',
  '{% include "secret" %}{% render "/etc/passwd" %}{% layout "x" %}',
  '{{ "now" | date: "%Q%9999N" }}{{ 1 | divided_by: 0 }}{{ task.metadata | json }}',
  '{% raw %}{{ not }}{% endraw %}{%- comment -%}{{ x',
];

const one = (values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);

/** Valid values of properties, by name, whose rules the document states only in prose. */
export const HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  params: one(CONDITION_PARAMS),
  schedule: one(SCHEDULES),
  template: one(TEMPLATES),
  prompt: one(TEMPLATES),
  email: mostly(60, placeholderOf('email'), one(['new@example.test', 'jürgen@exämple.test', 'A.B+c@EXAMPLE.test'])),
  password: mostly(80, one([PASSWORD]), one(['wrong wooden ladders', 'x'.repeat(128), 'ünïcödé 𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡'])),
  code: mostly(70, placeholderOf('code'), one(['abc-def-ghi', ' ABC DEF GHI '])),
  invitation_token: placeholderOf('token'),
  token: placeholderOf('token'),
  cursor: mostly(80, placeholderOf('cursor'), one(['eyJhIjoxfQ', 'AAAA', 'e30.e30'])),
  timezone: one(['Europe/Berlin', 'UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'europe/berlin']),
  lang: one(['de', 'en', 'de-CH', 'zh-Hant-TW', 'x-private', 'en-US-u-ca-buddhist']),
  role: one(['product_owner', 'member', 'guest', 'viewer', 'admin', 'owner']),
  relationship_type: one(['references', 'blocks', 'relates_to', 'depends_on', 'part_of', 'duplicates']),
  detail: one(['All green.', null]),
};
