import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** An alert of deploy/alerts.yaml. */
export interface AlertRule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

interface RuleFile {
  groups: { rules: AlertRule[] }[];
}

/** A query of deploy/grafana.json. */
export interface DashboardQuery {
  panel: string;
  expr: string;
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

interface Dashboard {
  panels: Panel[];
  annotations: { list: { name: string; expr: string }[] };
}

export const ALERT_TESTS = 'deploy/alerts.test.yaml';

export function readAlerts(): AlertRule[] {
  const file = load(readFileSync('deploy/alerts.yaml', 'utf8')) as RuleFile;
  return file.groups.flatMap(({ rules }) => rules);
}

export function readDashboard(): DashboardQuery[] {
  const { panels, annotations } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as Dashboard;
  return [
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ panel: title, expr }))),
    ...annotations.list.map(({ name, expr }) => ({ panel: name, expr })),
  ];
}
