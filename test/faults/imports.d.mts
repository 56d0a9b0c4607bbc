export function run(options: { issues: number; kills: number }): Promise<Record<string, unknown>>;
