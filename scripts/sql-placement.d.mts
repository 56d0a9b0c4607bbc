export interface SourceFile {
  path: string;
  text: string;
}

export function readFeatures(root: string): SourceFile[];
export function sqlViolations(files: readonly SourceFile[]): string[];
