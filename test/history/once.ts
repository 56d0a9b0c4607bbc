/** One of several uses of an idempotency key; without a status it was never answered. */
export interface Use {
  status?: number;
  code?: string;
  body: string;
}

/**
 * What contradicts that a key has one effect: answers that differ, another refusal than that the first use is still
 * under way, or `effects` that are not one.
 */
export function keyAnomalies(key: string, uses: Use[], effects: number): string[] {
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
