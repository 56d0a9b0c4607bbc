interface SourceFile {
  path: string;
  text: string;
}
export function removes(statement: string): boolean;
export function readMigrations(root: string): SourceFile[];
export function readSources(root: string): SourceFile[];
export function phaseFaults(files: SourceFile[]): string[];
export function unnamedColumns(files: SourceFile[]): string[];
