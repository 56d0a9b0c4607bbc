/** One request with an idempotency key; `status` is undefined if it received no response. */
export interface KeyUse {
  status?: number;
  code?: string;
  body: string;
}

/**
 * Returns the contradictions to exactly one effect per key: responses that differ, conflicts other than
 * `request_in_progress`, and a number of `effects` other than one.
 */
export function keyAnomalies(key: string, uses: KeyUse[], effects: number): string[] {
  const answered = uses.filter(({ status }) => status !== undefined);
  const done = answered.filter(({ status }) => status !== 409);
  const anomalies = answered
    .filter(({ status, code }) => status === 409 && code !== 'request_in_progress')
    .map(({ code }) => `${key} was refused with ${code}`);
  if (done.some(({ status }) => status !== 200 && status !== 201)) {
    anomalies.push(`${key} was answered ${[...new Set(done.map(({ status }) => status))].join(' and ')}`);
  }
  if (new Set(done.map(({ status, body }) => `${status} ${body}`)).size > 1) {
    anomalies.push(`${key} was answered in different ways`);
  }
  if (done.length === 0) anomalies.push(`${key} was never answered`);
  if (effects !== 1) anomalies.push(`${key} had ${effects} effects`);
  return anomalies;
}
