export interface SourceFile {
  path: string;
  text: string;
}

export interface SqlExceptions {
  unmoved: readonly string[];
  foreignTables: Readonly<Record<string, readonly string[]>>;
}

export function readFeatures(root: string): SourceFile[];
export function sqlViolations(files: readonly SourceFile[], exceptions: SqlExceptions): string[];
