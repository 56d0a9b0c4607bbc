export function killImport(options: { issues: number; kills: number }): Promise<Record<string, unknown>>;
