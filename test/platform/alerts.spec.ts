import { readFileSync } from 'node:fs';
import { ALERT_TESTS, readAlerts, readDashboard } from '../support/alerts.js';
import { TestApp } from '../support/test-app.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const NAME = /\b(?:worksmith|process)_\w+/g;

/** Metrics that the dashboard does not show. */
const NOT_SHOWN: readonly string[] = [];

/** The metric that a series belongs to. */
const metricOf = (series: string): string => series.replace(/_(?:total|bucket|count|sum)$/, '');
const metricsIn = (texts: string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(NAME)].map(([name]) => metricOf(name))));
const read = (file: string): string => readFileSync(file, 'utf8');

let app: TestApp;
let metrics: Set<string>;

beforeAll(async () => {
  app = await TestApp.open({ METRICS_TOKEN });
  const response = await fetch(`http://127.0.0.1:${app.service.ports[0]}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  metrics = new Set([...(await response.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
});
afterAll(() => app.close());

const missingFrom = (names: Iterable<string>, among: { has(name: string): boolean }): string[] =>
  [...names].filter((name) => !among.has(name)).toSorted();

describe('deploy/alerts.yaml', () => {
  const rules = readAlerts();
  const alerts = rules.map(({ alert }) => alert);

  it('names only metrics that exist', () => {
    expect(missingFrom(metricsIn(rules.map(({ expr }) => expr)), metrics)).toEqual([]);
  });

  it('has a test of each alert, which expects it to fire', () => {
    const tested = [...read(ALERT_TESTS).matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name);
    expect([...new Set(tested)].toSorted()).toEqual(alerts.toSorted());
  });

  it('is quiet in a test that gives every alert what it looks at', () => {
    const [quiet] = read(ALERT_TESTS).split('promql_expr_test:');
    expect(missingFrom(metricsIn(rules.map(({ expr }) => expr)), metricsIn([quiet]))).toEqual([]);
  });

  it('has a paragraph for each alert in the runbook, and the runbook none for others', () => {
    const paragraphs = [...read('docs/runbook.md').matchAll(/^## (\w+)\n\n(\S)/gm)].map(([, name]) => name);
    expect(paragraphs.toSorted()).toEqual(alerts.toSorted());
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it('refers to the figures of docs/runbook.md by names that exist', () => {
    expect(missingFrom(metricsIn([read('docs/runbook.md')]), metrics)).toEqual([]);
  });
});

describe('deploy/grafana.json', () => {
  const shown = metricsIn(readDashboard().map(({ expr }) => expr));

  it('names only metrics that exist', () => {
    expect(missingFrom(shown, metrics)).toEqual([]);
  });

  it('shows every metric, but for those that are named here', () => {
    expect(missingFrom(metrics, shown)).toEqual([...NOT_SHOWN].toSorted());
  });

  it('uses the data source that its user chooses', () => {
    const uids = [...read('deploy/grafana.json').matchAll(/"uid": "(.*)"/g)].map(([, uid]) => uid);
    expect([...new Set(uids)].toSorted()).toEqual(['${datasource}', 'worksmith']);
  });
});

describe('docs/metrics.md', () => {
  const documented = metricsIn([read('docs/metrics.md')]);

  it('describes every metric, and no other', () => {
    expect(missingFrom(metrics, documented)).toEqual([]);
    expect(missingFrom(documented, metrics)).toEqual([]);
  });
});
